import type { JWTPayload } from 'jose'

/** How many are kept of each: a run makes a few hundred. */
const keptAtMost = 1_000

/** The request objects of a run, and where they lie: what a request by request_uri asked is judged by what was inside. */
export class PlacedRequestObjects {
  readonly #claims = new Map<string, JWTPayload>()
  readonly #lying = new Map<string, JWTPayload>()

  made(object: string, claims: JWTPayload): void {
    if (this.#claims.size < keptAtMost) this.#claims.set(object, claims)
  }

  /** Something lies at an address, in place of what was there. */
  place(address: string, body: string): void {
    const claims = this.#claims.get(body)
    if (claims && this.#lying.size < keptAtMost) this.#lying.set(address, claims)
    else this.#lying.delete(address)
  }

  /** What the object at an address says; undefined where what lies there is none that was made. */
  at(address: string): JWTPayload | undefined {
    return this.#lying.get(address)
  }
}

import type { HttpResponse } from '../http/http.js'

/** A record that the bank took in a run, of a client that is as good as any, and what it answered. */
export interface SeenRecord {
  method: 'POST' | 'PUT'
  /** The fields of the record, without the client_id of a PUT. */
  sent: Readonly<Record<string, unknown>>
  response: HttpResponse
}

/** How many are kept, and of how many characters: what a bank sends has no bound of its own. */
const keptAtMost = 500
const longestKept = 20_000

/** The records that came back in a run so far, whoever registered: those that no rule can tell apart are kept once. */
export class SeenRecords {
  readonly #kept = new Map<string, SeenRecord>()
  readonly #noted = new WeakSet<HttpResponse>()

  note(record: SeenRecord): void {
    const { response } = record
    if (this.#noted.has(response)) return
    this.#noted.add(response)
    if (this.#kept.size >= keptAtMost || response.text.length > longestKept) return
    const key = formOf(record)
    if (!this.#kept.has(key)) this.#kept.set(key, record)
  }

  all(): readonly SeenRecord[] {
    return [...this.#kept.values()]
  }
}

/** Of a record: the fields that were sent, and which came back otherwise. */
function formOf({ method, sent, response: { status, mediaType, told: answer } }: SeenRecord): string {
  const told = new Map(typeof answer === 'object' && answer !== null ? Object.entries(answer) : [])
  const fields = Object.keys(sent).map((name) => [name, JSON.stringify(told.get(name)) === JSON.stringify(sent[name])])
  const further = [...told].filter(([name]) => !(name in sent))
  return JSON.stringify([method, status, mediaType, fields, further.map(([name, value]) => [name, typeof value])])
}

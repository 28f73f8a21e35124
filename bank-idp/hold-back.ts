import type { ServerResponse } from 'node:http'

/** Holds back what is written. @param ended is given all of it, once that is known */
export function holdBack(res: ServerResponse, ended: (body: Buffer) => void): void {
  const own = { write: res.write, end: res.end }
  const chunks: Buffer[] = []
  const hold = (given: unknown[]) => {
    const [chunk] = given
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as Uint8Array))
    const done = given.find((one) => typeof one === 'function') as (() => void) | undefined
    if (done) res.once('finish', done)
  }
  res.write = ((...given: unknown[]) => {
    hold(given)
    return true
  }) as typeof res.write
  res.end = ((...given: unknown[]) => {
    hold(given)
    Object.assign(res, own)
    ended(Buffer.concat(chunks))
    return res
  }) as typeof res.end
}

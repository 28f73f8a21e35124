import type { IncomingMessage } from 'node:http'
import type { RequestHandler, Response } from 'express'

/** An answer before it leaves, whole. */
export interface Answer {
  req: IncomingMessage & { originalUrl: string }
  status: number
  /** Names in lower case; one of Set-Cookie for each cookie. */
  headers: [string, string][]
  body: Buffer
  /** Bytes of the pieces that it is sent in, where it does not say how long it is. */
  pieces?: number
}

export function headerOf({ headers }: Answer, name: string): string {
  return headers.find(([known]) => known === name)?.[1] ?? ''
}

/** What stands in the JSON of an answer; nothing in any other. */
export function membersOf(answer: Answer): Record<string, unknown> {
  return headerOf(answer, 'content-type').includes('/json') ? JSON.parse(answer.body.toString()) : {}
}

/** @param value undefined takes it away */
export function setHeader(answer: Answer, name: string, value: string | undefined): void {
  const others = answer.headers.filter(([known]) => known !== name)
  answer.headers = value === undefined ? others : [...others, [name, value]]
}

function headersOf(res: Response): [string, string][] {
  return Object.entries(res.getHeaders()).flatMap(([name, value = '']) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
}

/** Holds each answer back until it is whole, has it changed, and sends it with its headers spelled and ordered as they are then. */
export function buffered(change: (answer: Answer) => void): RequestHandler {
  return (req, res, next) => {
    const { write, end } = res
    const chunks: Buffer[] = []
    const keep = (chunk: unknown, encoding: unknown) => {
      if (typeof chunk === 'string')
        chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'))
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
    }
    res.write = ((chunk: unknown, encoding: unknown) => {
      keep(chunk, encoding)
      return true
    }) as typeof res.write
    res.end = ((chunk: unknown, encoding: unknown) => {
      keep(chunk, encoding)
      Object.assign(res, { write, end })
      const answer: Answer = { req, status: res.statusCode, headers: headersOf(res), body: Buffer.concat(chunks) }
      setHeader(answer, 'content-length', undefined)
      change(answer)
      for (const name of res.getHeaderNames()) res.removeHeader(name)
      res.statusCode = answer.status
      const names = [...new Set(answer.headers.map(([name]) => name))]
      for (const name of names) {
        const values = answer.headers.flatMap(([known, value]) => (known === name ? [value] : []))
        res.setHeader(name, values.length > 1 ? values : (values[0] ?? ''))
      }
      const { body, pieces } = answer
      if (pieces === undefined || answer.status === 204) return end.call(res, body, 'utf8')
      for (let at = 0; at < body.length; at += pieces) write.call(res, body.subarray(at, at + pieces), 'utf8')
      return end.call(res, '', 'utf8')
    }) as typeof res.end
    next()
  }
}

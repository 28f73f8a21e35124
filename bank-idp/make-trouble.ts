import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import type { BankContext } from './context.js'
import { holdBack } from './hold-back.js'
import { routeBelow } from './route-below.js'
import type { Trouble } from './troubles.js'

/** What turns a body into bytes that mean nothing. */
const noise = 0xa5

/** Sends what the bank would have sent, as the trouble has it. */
function send(res: ServerResponse, answer: Buffer, { status, body, broken }: Trouble): void {
  if (broken === 'reset') return void res.socket?.destroy()
  const replaced = status !== undefined || body !== undefined
  const whole = replaced ? Buffer.from(body ?? '') : answer
  if (status !== undefined) res.statusCode = status
  const bytes = broken === 'garbled' ? whole.map((byte) => byte ^ noise) : whole
  if (replaced || broken) res.setHeader('content-length', bytes.length)
  if (broken !== 'truncated') return void res.end(bytes)
  res.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => res.socket?.destroy())
}

/** Answers otherwise, or not at all, where trouble was asked for: behind what remembers requests, so that it shows what was sent. */
export function makeTrouble({ config, troubles }: Pick<BankContext, 'config' | 'troubles'>): RequestHandler {
  const pathOf = routeBelow(config.issuer)
  return (req, res, next) => {
    const route = `${req.method} ${pathOf(req.url)}`
    if (!troubles.expects(route)) return next()
    const answer = async (body: Buffer) => {
      const trouble = await troubles.take(route, (res.locals as { client?: string }).client)
      if (!trouble) return void res.end(body)
      if (trouble.delay_seconds !== undefined) {
        // Nothing passes meanwhile, and that is not the client's doing: its connection may be idle for as long.
        req.socket?.setTimeout(0)
        await troubles.delay(trouble.delay_seconds)
      }
      send(res, body, trouble)
    }
    // Where the store does not tell whether there is trouble there is none.
    holdBack(res, (body) => void answer(body).catch(() => res.end(body)))
    next()
  }
}

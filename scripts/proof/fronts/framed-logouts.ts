import { type RequestHandler, Router } from 'express'

const frames = '/session/frames'

/** Has the page of a logout load what clients are told by in a page of its own, in a frame (OpenID Front-Channel Logout 1.0 section 2). */
export function framedLogouts(): Router {
  const kept: string[] = []
  const framing: RequestHandler = (_req, res, next) => {
    const answer = res.send.bind(res)
    res.send = (page) => {
      const own = typeof page === 'string' ? page.match(/<iframe.*?<\/iframe>/gs) : null
      if (own === null) return answer(page)
      const address = `${frames}?of=${kept.push(own.join('')) - 1}`
      const [first = '', ...others] = own
      const rest = others.reduce((text, frame) => text.replace(frame, ''), String(page))
      return answer(rest.replace(first, `<iframe src="${address}" title="clients" hidden></iframe>`))
    }
    next()
  }
  return Router()
    .get(frames, (req, res) => {
      res.type('html').send(`<!doctype html><title>Clients</title>${kept[Number(req.query.of)] ?? ''}`)
    })
    .use('/session/end', framing)
}

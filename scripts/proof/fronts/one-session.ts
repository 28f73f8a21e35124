import express, { type RequestHandler, Router } from 'express'

const cookieName = '__Host-session'

/** The session that a header speaks of. */
const sessionIn = (header: unknown) => new RegExp(`${cookieName}=([^;]*)`).exec(String(header))?.[1]

/** A bank at which a sign-in ends the person's sessions in other browsers, though not their tokens. */
export function oneSession(): Router {
  const personOf = new Map<string, string>()
  const latestOf = new Map<string, string>()
  /** Who signs in on the pages of an interaction. */
  const signingIn = new Map<string, string>()

  const forget: RequestHandler = (req, _res, next) => {
    const { cookie } = req.headers
    const session = sessionIn(cookie)
    const person = session && personOf.get(session)
    if (cookie && person && latestOf.get(person) !== session) {
      const others = cookie.split('; ').filter((one) => !one.startsWith(cookieName))
      req.headers.cookie = others.join('; ')
    }
    next()
  }
  const seeSignIn: RequestHandler<{ uid: string }> = (req, _res, next) => {
    const { login, person = login, action } = req.body
    if (person && action !== 'decline') signingIn.set(req.params.uid, person)
    next()
  }
  const seeSession: RequestHandler = (req, res, next) => {
    const before = sessionIn(req.headers.cookie)
    const [, uid = ''] = /^\/auth(?:orize)?\/([^/?]+)/.exec(req.path) ?? []
    res.once('finish', () => {
      const [session] = [res.getHeader('set-cookie') ?? []].flat().flatMap((header) => sessionIn(header) ?? [])
      const person = signingIn.get(uid) ?? personOf.get(before ?? '')
      if (!session || !person) return
      personOf.set(session, person)
      latestOf.set(person, session)
    })
    next()
  }
  return Router()
    .use(forget, seeSession)
    .post('/interaction/:uid', express.urlencoded({ extended: false }), seeSignIn)
}

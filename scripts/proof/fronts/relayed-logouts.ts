import express, { type RequestHandler, Router } from 'express'
import { CompactEncrypt, decodeJwt, importJWK, type JWK } from 'jose'
import { Agent, request } from 'undici'
import type { Bank } from '../../../bank-idp/bank.js'
import { isUrl } from '../../../schemas/is-url.js'

/** Where the bank's own logout tokens go. */
const relay = '/logout-relay'

const form = 'application/x-www-form-urlencoded; charset=UTF-8'

/**
 * Has clients told of logouts by a system of its own, which encrypts to each what its id_tokens are encrypted with (OpenID Back-Channel Logout
 * 1.0 section 2.6), and tells it everything twice.
 */
export function relayedLogouts(issuer: string, { identity }: Bank): Router {
  const dispatcher = new Agent({ connect: { ca: identity.authority.cert } })
  /** As the bank answered them, by client_id. */
  const records = new Map<string, Record<string, unknown>>()

  const registering: RequestHandler = (req, _res, next) => {
    if (typeof req.body !== 'string') return next()
    const record = recordOf(req.body)
    req.body = record ?? req.body
    const address = record?.backchannel_logout_uri
    const relayed = typeof address === 'string' && isUrl(address) && address.startsWith('https://')
    if (relayed) req.body = { ...record, backchannel_logout_uri: `${issuer}${relay}?to=${encodeURIComponent(address)}` }
    next()
  }
  const answering: RequestHandler = (_req, res, next) => {
    const answer = res.json.bind(res)
    res.json = (body) => {
      const told = body?.backchannel_logout_uri
      const to = typeof told === 'string' && told.startsWith(issuer) ? new URL(told).searchParams.get('to') : null
      const own = to === null ? body : { ...body, backchannel_logout_uri: to }
      if (typeof own?.client_id === 'string') records.set(own.client_id, own)
      return answer(own)
    }
    next()
  }

  async function encrypted(jwt: string): Promise<string> {
    const record = records.get(String(decodeJwt(jwt).aud)) ?? {}
    const { id_token_encrypted_response_alg: alg, id_token_encrypted_response_enc: enc = 'A256GCM' } = record
    if (typeof alg !== 'string') return jwt
    const answer = await request(String(record.jwks_uri), { dispatcher })
    const { keys } = (await answer.body.json()) as { keys: JWK[] }
    const key = keys.find(({ use }) => use === 'enc') ?? {}
    return new CompactEncrypt(new TextEncoder().encode(jwt))
      .setProtectedHeader({ alg, enc: String(enc), cty: 'JWT', ...(key.kid !== undefined && { kid: key.kid }) })
      .encrypt(await importJWK(key, alg))
  }

  const telling: RequestHandler = async (req, res) => {
    const body = new URLSearchParams({ logout_token: await encrypted(req.body.logout_token) }).toString()
    const message = { method: 'POST', headers: { 'content-type': form }, body, dispatcher } as const
    for (let time = 0; time < 2; time += 1) {
      const told = await request(String(req.query.to), message)
      await told.body.dump()
      res.status(told.statusCode)
    }
    res.end()
  }

  return Router()
    .post(relay, express.urlencoded({ extended: false }), telling)
    .use('/register', express.text({ type: 'application/json', limit: '500kb' }), registering, answering)
}

/** A record as it was sent; undefined where it is none. */
function recordOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { isUrl } from '../../../schemas/is-url.js'

/** The callback with an error that an address is; undefined where it is none. */
function errorIn(location: string): URL | undefined {
  if (!isUrl(location)) return undefined
  const callback = new URL(location)
  return callback.searchParams.has('error') ? callback : undefined
}

/**
 * Has whoever comes with a wrong request sign in by a good one of the same client, and tells what was wrong with theirs where that one would
 * lead back. Who must not see a page is told at once.
 */
export function lateErrors(issuer: string): RequestHandler {
  /** Callbacks with errors, by the state of the good request. */
  const held = new Map<string, string>()
  /** Callbacks with errors whose good request led back: where it does so at once, they are set at the address where a login begins. */
  const told = new Set<string>()

  function goodFor(callback: URL, client: { client_id: string; redirect_uri: string }): string {
    const state = randomUUID()
    held.set(state, callback.href)
    const good = { ...client, response_type: 'code', scope: 'openid', state, nonce: randomUUID() }
    return `${issuer}/auth?${new URLSearchParams(good)}`
  }

  return (req, res, next) => {
    const set = res.setHeader.bind(res)
    const { client_id, redirect_uri, prompt, response_type } = req.query as Record<string, string>
    const beginsLogin = req.method === 'GET' && req.path === '/auth' && response_type === 'code'
    const instead = (location: string): string => {
      const callback = errorIn(location)
      if (callback && !told.has(location) && beginsLogin && client_id && redirect_uri && !prompt?.includes('none'))
        return goodFor(callback, { client_id, redirect_uri })
      const state = isUrl(location) ? new URL(location).searchParams.get('state') : null
      const error = held.get(state ?? '')
      if (error !== undefined) told.add(error)
      return error ?? location
    }
    res.setHeader = (name, value) => set(name, name.toLowerCase() === 'location' ? instead(String(value)) : value)
    next()
  }
}

import type { Response, Test } from 'supertest'

/** Of one browser: name=value, by name. */
export type Cookies = Map<string, string>

/** The fields sent at a page, beside its hidden ones. */
export type Form = Record<string, string | string[]>

/** A browser that goes through pages. */
export interface Browsing {
  cookies?: Cookies
  /** Is given each page. */
  seen?: (page: Response) => void
  /** Whether a redirect to this address ends the way. */
  until?: (location: string) => boolean
}

/**
 * Goes on from an answer of the bank until a redirect that ends it, or a page for which no form is left.
 *
 * @param forms the fields sent at each page, in order
 */
export async function walkPages(
  send: (method: 'get' | 'post', path: string) => Test,
  issuer: string,
  first: Response,
  forms: Form[],
  { cookies = new Map(), seen, until = () => false }: Browsing = {},
): Promise<Response> {
  let answer = first
  const left = [...forms]
  for (let steps = 0; steps < 20; steps += 1) {
    for (const cookie of [answer.get('set-cookie') ?? []].flat()) {
      const [pair = ''] = cookie.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair)
    }
    const location = answer.get('location')
    if (location && until(location)) return answer
    const cookie = [...cookies.values()].join('; ')
    if (location) {
      const { pathname, search } = new URL(location, issuer)
      answer = await send('get', pathname + search).set('cookie', cookie)
      continue
    }
    seen?.(answer)
    const action = /action="([^"]+)"/.exec(answer.text)?.[1]
    const form = left.shift()
    if (!action || !form) return answer
    const hidden = [...answer.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]))
    answer = await send('post', action)
      .type('form')
      .set('cookie', cookie)
      .send({ ...fields, ...form })
  }
  throw new Error('too many steps')
}

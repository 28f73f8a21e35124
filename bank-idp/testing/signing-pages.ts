import type { Cookies } from './pages.js'
import { requestClaims } from './request-objects.js'
import type { TestClient, TestService } from './service.js'

/** What the request object of a text asks for. */
export const text = { acr_values: 'loa2' }

/** The form by which an object is authorized. */
export const authorizing = { action: 'authorize' }

/** A cookie header. */
export const sent = (cookies: Cookies) => [...cookies.values()].join('; ')

/** A client that has request objects authorized, and the people before its pages. */
export function signingPages(service: TestService, client: TestClient) {
  return {
    /** Registers the object of a text, or one that differs from it. @returns its request_uri */
    async requestUri(changes: Record<string, unknown> = {}, bearer?: string): Promise<string> {
      const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
      const claims = requestClaims(client, { ...text, ...changes })
      const { body, status } = await service.registerRequestObject(claims, headers)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body.request_uri
    },

    /** The page that is reached by these forms, and the cookies of its browser. */
    async pageOf(uri: string, ...forms: Record<string, string>[]): Promise<{ cookies: Cookies; page: string }> {
      const cookies: Cookies = new Map()
      const pages: string[] = []
      const seen = ({ text: html }: { text: string }) => pages.push(html)
      const browser = { cookies, seen }
      await expect(service.authorizeObject(uri, client.redirect_uri, forms, browser)).rejects.toThrow('stuck at 200')
      return { cookies, page: pages.at(-1) ?? '' }
    },

    /** Where a person who fills in these forms ends. */
    authorize: (uri: string, ...forms: Record<string, string>[]) =>
      service.authorizeObject(uri, client.redirect_uri, forms),
  }
}

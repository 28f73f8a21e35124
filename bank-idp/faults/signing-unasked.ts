import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { fault } from './fault.js'
import { formOf } from './pages-left.js'

/** The page of an object as one that authorizes it by itself. */
function passed(page: string): string {
  return page
    .replace('<form id="sign"', '<form')
    .replace(/<button[^>]* value="authorize">.*?<\/button>/s, '<input type="hidden" name="action" value="authorize"/>')
    .replace(/<button[^>]* value="refuse">.*?<\/button>/s, '')
    .replace('</body>', '<script>document.forms[0].submit()</script></body>')
}

/** The device that a browser signed in on, by its cookies. */
function deviceOf({ requestHeader }: Pick<ResponseFacts, 'requestHeader'>): string | undefined {
  return /__Host-device=([\w-]+)/.exec(requestHeader('cookie') ?? '')?.[1]
}

export const signingUnaskedFault = fault({
  id: 'signing/sign-in-authorizes',
  breaks: ['SIGN-2'],
  places: ['caller=nobody member=signObject', 'caller=nobody member=documentObject'],
  title: 'Takes an object for authorized by whoever has just signed in for it',
  collateral: {
    ...Object.fromEntries(
      ['fields-shown', 'further-members', 'language-order', 'languages'].map((slug) => [
        `signing/${slug}`,
        'it reads the page that is passed over',
      ]),
    ),
    'signing/refused': 'it refuses on that page',
    'signing/refused-elsewhere': 'it refuses on that page',
    'signing/remote-after-sign-in': 'it leaves that page, and comes to it in another browser',
  },
  /** The page that was shown last, by the device. */
  memory: () => new Latest<string>(10_000),
  response: {
    'GET /interaction': (response: SeamResponse, facts: ResponseFacts, pages: Latest<string>) => {
      const page = String(response.body)
      const form = formOf(page)
      const device = deviceOf(facts)
      if (device === undefined || form === undefined) return response
      const justSignedIn = form === 'sign' && pages.get(device) === 'second-factor'
      pages.set(device, form)
      return justSignedIn ? { ...response, body: passed(page) } : response
    },
  },
})

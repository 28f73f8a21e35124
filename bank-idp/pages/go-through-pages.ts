import { ask, type OwnAnswer, type OwnBank } from '../in-process.js'

/** What a person does at the pages of a login. */
export interface Behaviour {
  login: string
  /** Which scopes they approve; all that the page shows when left out. */
  consent?: readonly string[]
  /** Where they turn back. */
  decline?: 'login' | 'consent' | undefined
  /** As which of several identities they go on; the first when left out. */
  account?: string | undefined
}

/** Where a way through the pages ended. */
export interface EndOfWay {
  /** A redirect back to the client, or what a person can do nothing at. */
  answer: OwnAnswer
  /** The ids of the forms that were sent. */
  sent: ReadonlySet<string>
  /** All cookies that the bank set, by their names, each with its attributes. */
  cookies: ReadonlyMap<string, string>
}

/** More pages than any login has. */
const maxSteps = 20

/** What is sent at each page, by the id of its form. */
const answers: Readonly<Record<string, (person: Behaviour, page: string) => [name: string, value: string][]>> = {
  'sign-in': ({ login, decline }) => (decline === 'login' ? [['action', 'decline']] : [['person', login]]),
  'second-factor': () => [['action', 'confirm']],
  account: ({ account }, page) => [['account', account ?? valuesOf(page, 'account')[0] ?? '']],
  consent: ({ consent, decline }, page) =>
    decline === 'consent'
      ? [['action', 'refuse']]
      : [
          ['action', 'approve'],
          ...valuesOf(page, 'scope')
            .filter((scope) => consent?.includes(scope) ?? true)
            .map((scope): [string, string] => ['scope', scope]),
        ],
}

/** The values that a page offers for a field. The pages are the bank's own, so their form is known. */
function valuesOf(page: string, field: string): string[] {
  return [...page.matchAll(new RegExp(`name="${field}" value="([^"]*)"`, 'g'))].map(([, value]) => String(value))
}

/**
 * Goes through the bank's pages as a person with a browser would, until it leads back to the client or nowhere.
 *
 * @param address of the authorization request
 * @param browser the cookies that it has, as it sends them, its address, and the trace id of what it asks
 */
export async function goThroughPages(
  bank: OwnBank,
  address: string,
  redirectUri: string,
  person: Behaviour,
  browser: { cookies?: readonly string[]; from?: string | undefined; trace?: string } = {},
): Promise<EndOfWay> {
  const cookies = new Map<string, string>()
  const sent = new Set<string>()
  const send = async (own: Parameters<typeof ask>[1]) => {
    const set = [...cookies.values()].map((cookie) => cookie.split(';')[0])
    const known = (browser.cookies ?? []).filter((cookie) => !cookies.has(cookie.slice(0, cookie.indexOf('='))))
    const trace = browser.trace !== undefined && { 'x-b3-traceid': browser.trace }
    const headers = { cookie: [...known, ...set].join('; '), accept: 'text/html', ...trace }
    const answer = await ask(bank, { ...own, headers, from: browser.from })
    for (const cookie of answer.headers['set-cookie'] ?? []) cookies.set(cookie.slice(0, cookie.indexOf('=')), cookie)
    return answer
  }
  const inside = (place: string) => new URL(place, bank.context.config.issuer).href
  const [back = ''] = redirectUri.split('?')
  let answer = await send({ address })
  for (let step = 0; step < maxSteps; step += 1) {
    const { location } = answer.headers
    if (location?.startsWith(back)) break
    if (location !== undefined) {
      answer = await send({ address: inside(location) })
      continue
    }
    const [, id = '', action = ''] = /<form id="([^"]+)" method="post" action="([^"]+)"/.exec(answer.text) ?? []
    const fields = answers[id]?.(person, answer.text)
    if (!fields) break
    sent.add(id)
    answer = await send({ method: 'POST', address: inside(action), body: new URLSearchParams(fields) })
  }
  return { answer, sent, cookies }
}

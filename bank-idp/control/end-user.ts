import { BankError } from '../errors.js'
import { ask, type OwnAnswer } from './in-process.js'
import type { Bench } from './operation.js'

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

/** The page at which a person turns back, by its form, and what has it shown to somebody who has been there before. */
const turningBack = {
  login: { form: 'sign-in', prompt: 'login' },
  consent: { form: 'consent', prompt: 'consent' },
}

/** @throws {BankError} when a person was to turn back, and came through without the page to do so */
function checkTurnedBack({ decline }: Behaviour, seen: ReadonlySet<string>, back: URL): URL {
  if (decline === undefined || seen.has(turningBack[decline].form) || back.searchParams.has('error')) return back
  const { form, prompt } = turningBack[decline]
  throw new BankError(
    'invalid_request',
    `decline: the ${form} page was not shown, since nothing was left to ask there: prompt ${prompt} has it shown again`,
  )
}

/** More pages than any login has. */
const maxSteps = 20

/** What is sent at each page, by the id of its form. @throws {BankError} when there is nothing that could be */
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

/** A page as its heading and what it warns of. */
function headingOf({ status, text }: OwnAnswer): string {
  const [, heading] = /<h1[^>]*>(.*?)<\/h1>/s.exec(text) ?? []
  return `a page with status ${status}: ${heading ?? text.slice(0, 200)}`
}

/**
 * Goes through the bank's pages as a person with a browser would, until it leads back to the client.
 *
 * @param address of the authorization request
 * @returns the address that the person is sent to
 * @throws {BankError} when a page comes that leads nowhere, or the one is left out at which the person turns back
 */
export async function goThroughPages(
  bench: Bench,
  address: string,
  redirectUri: string,
  person: Behaviour,
): Promise<URL> {
  const cookies = new Map<string, string>()
  const send = async (own: Parameters<typeof ask>[1]) => {
    const answer = await ask(bench, {
      ...own,
      headers: { cookie: [...cookies.values()].join('; '), accept: 'text/html' },
    })
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = cookie.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair)
    }
    return answer
  }
  const [back = ''] = redirectUri.split('?')
  const seen = new Set<string>()
  let answer = await send({ address })
  for (let step = 0; step < maxSteps; step += 1) {
    const { location } = answer.headers
    if (location?.startsWith(back)) return checkTurnedBack(person, seen, new URL(location))
    if (location !== undefined) {
      answer = await send({ address: new URL(location, bench.context.config.issuer).href })
      continue
    }
    const [, id = '', action = ''] = /<form id="([^"]+)" method="post" action="([^"]+)"/.exec(answer.text) ?? []
    seen.add(id)
    const fields = answers[id]?.(person, answer.text)
    if (!fields) throw new BankError('invalid_request', `the login ended at ${headingOf(answer)}`)
    const { issuer } = bench.context.config
    answer = await send({ method: 'POST', address: new URL(action, issuer).href, body: new URLSearchParams(fields) })
  }
  throw new BankError('invalid_request', `the login did not end: it came to ${headingOf(answer)}`)
}

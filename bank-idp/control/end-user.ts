import { BankError } from '../errors.js'
import type { OwnAnswer } from '../in-process.js'
import { type Behaviour, type EndOfWay, goThroughPages } from '../pages/go-through-pages.js'
import type { Bench } from './operation.js'
import { successOf } from './refusal.js'

/** The page at which a person turns back, by its form, and what has it shown to somebody who has been there before. */
const turningBack = {
  login: { form: 'sign-in', prompt: 'login' },
  consent: { form: 'consent', prompt: 'consent' },
}

/** @throws {BankError} when a person was to turn back, and came through without the page to do so */
function checkTurnedBack({ decline }: Behaviour, { sent }: EndOfWay, back: URL): URL {
  if (decline === undefined || sent.has(turningBack[decline].form) || back.searchParams.has('error')) return back
  const { form, prompt } = turningBack[decline]
  throw new BankError(
    'invalid_request',
    `decline: the ${form} page was not shown, since nothing was left to ask there: prompt ${prompt} has it shown again`,
  )
}

/** A page as its heading and what it warns of. */
function headingOf({ status, text }: OwnAnswer): string {
  const [, heading] = /<h1[^>]*>(.*?)<\/h1>/s.exec(text) ?? []
  return `a page with status ${status}: ${heading ?? text.slice(0, 200)}`
}

/**
 * Where a person comes back to the client, after the bank's pages.
 *
 * @param address of the authorization request
 * @throws {BankError} when a page comes that leads nowhere, or the one is left out at which the person turns back
 */
export async function comeBack(bench: Bench, address: string, redirectUri: string, person: Behaviour): Promise<URL> {
  const end = await goThroughPages(bench, address, redirectUri, person)
  const { location, 'content-type': type } = end.answer.headers
  // Where it may not lead back, a bank answers a program in JSON.
  if (type?.startsWith('application/json')) successOf(end.answer, 'GET /auth')
  if (location === undefined) throw new BankError('invalid_request', `the login ended at ${headingOf(end.answer)}`)
  return checkTurnedBack(person, end, new URL(location, bench.context.config.issuer))
}

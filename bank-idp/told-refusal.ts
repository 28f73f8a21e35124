import type { Message } from './messages.js'

/** Why a request was refused, in the words that the caller was given. */
export interface ToldRefusal {
  error: string
  error_description?: string
}

function errorIn(members: { error?: unknown; error_description?: unknown }): ToldRefusal | undefined {
  const { error, error_description: description } = members
  if (typeof error !== 'string') return undefined
  return { error, ...(typeof description === 'string' && { error_description: description }) }
}

/** An error that a client is told by a redirect, in the query or in the fragment. */
function redirected(location: string | undefined): ToldRefusal | undefined {
  if (location === undefined || !URL.canParse(location)) return undefined
  const { searchParams, hash } = new URL(location)
  return [searchParams, new URLSearchParams(hash.slice(1))]
    .map((parameters) => errorIn(Object.fromEntries(parameters)))
    .find(Boolean)
}

/** What a page of the bank's own says in place of what was asked for. */
function toldOnPage(text = ''): ToldRefusal {
  const [, heading = 'no reason is given'] = /<h1[^>]*>(.*?)<\/h1>/s.exec(text) ?? []
  const [, said] = /<p[^>]*>([^<]+)<\/p>/.exec(text.split('</h1>')[1] ?? '') ?? []
  return { error: heading, ...(said !== undefined && { error_description: said }) }
}

/** Why an answer is a refusal; undefined where it is none. */
export function toldRefusal({ status, headers, json, text }: Message & { status: number }): ToldRefusal | undefined {
  const inBody = status >= 400 && typeof json === 'object' && json !== null ? errorIn(json) : undefined
  return inBody ?? redirected(headers.location) ?? (status >= 400 ? toldOnPage(text) : undefined)
}

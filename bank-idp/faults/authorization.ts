import { fault } from './fault.js'
import { codeRedirect, redirectTarget, toFragment } from './redirects.js'

const route = 'GET /auth'

/** What the bank itself puts into the query of a redirect. */
const answered = ['code', 'state', 'iss']

/** The callback of the signing flow is the same redirect. */
const atSigning = { 'signing/callback': 'the callback of the signing flow is the same redirect' }

export const authorizationFaults = [
  fault({
    id: 'authorization/state-dropped',
    breaks: ['AUTH-1'],
    places: ['use=first value=right'],
    title: 'Leaves state out of the redirect',
    collateral: atSigning,
    response: { [route]: codeRedirect((target) => target.searchParams.delete('state')) },
  }),
  fault({
    id: 'authorization/issuer-of-another',
    breaks: ['AUTH-1'],
    places: ['member=iss'],
    title: 'Names another issuer beside the code',
    response: { [route]: codeRedirect((target) => target.searchParams.set('iss', 'https://bank.example')) },
  }),
  fault({
    id: 'authorization/state-changed',
    breaks: ['AUTH-1'],
    places: ['use=first value=right'],
    title: 'Sends state back in lower case',
    collateral: atSigning,
    response: {
      [route]: codeRedirect((target) => {
        target.searchParams.set('state', String(target.searchParams.get('state')).toLowerCase())
      }),
    },
  }),
  fault({
    id: 'authorization/code-in-fragment',
    breaks: ['AUTH-1'],
    places: ['use=first value=right'],
    title: 'Sends code and state in the fragment',
    collateral: atSigning,
    response: { [route]: codeRedirect(toFragment) },
  }),
  fault({
    id: 'authorization/code-in-fragment-beside-query',
    breaks: ['AUTH-1'],
    places: ['member=query parameter=redirect_uri value=other-type'],
    title: 'Sends code and state in the fragment where the redirect URI has a query of its own',
    response: {
      [route]: codeRedirect((target) => {
        const { searchParams } = target
        const names = [...searchParams.keys()].filter((name) => answered.includes(name))
        if (names.length === searchParams.size) return
        target.hash = new URLSearchParams(names.map((name) => [name, String(searchParams.get(name))])).toString()
        for (const name of names) searchParams.delete(name)
      }),
    },
  }),
  fault({
    id: 'authorization/redirect-uri-query-lost',
    breaks: ['AUTH-1'],
    places: ['member=query parameter=redirect_uri'],
    title: 'Leaves the query that a redirect URI was registered with out of the redirect',
    response: {
      [route]: codeRedirect(({ searchParams }) => {
        for (const name of [...searchParams.keys()]) if (!answered.includes(name)) searchParams.delete(name)
      }),
    },
  }),
  fault({
    id: 'authorization/see-other',
    breaks: ['AUTH-1'],
    places: ['use=first value=right'],
    title: 'Redirects with 303',
    response: {
      [route]: (response) =>
        redirectTarget(response)?.searchParams.has('code') ? { ...response, status: 303 } : response,
    },
  }),
  fault({
    id: 'authorization/unregistered-code-in-vain',
    breaks: ['AUTH-7'],
    places: ['grant=code', 'grant=implicit'],
    title: 'Gives a code to a client that did not register response_type code, and refuses it at /token',
    without: ['authorization/response-type-registered'],
  }),
  fault({
    id: 'authorization/unregistered-code-otherwise',
    breaks: ['AUTH-7'],
    places: ['grant=code'],
    title: 'Answers a client that did not register response_type code with unauthorized_client',
    response: {
      [route]: (response, { query }) => {
        const refusal = response.body as { error?: string }
        return query.get('response_type') === 'code' && refusal.error === 'unsupported_response_type'
          ? { ...response, body: { ...refusal, error: 'unauthorized_client' } }
          : response
      },
    },
  }),
]

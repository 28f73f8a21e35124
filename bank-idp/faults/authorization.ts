import { codeRedirect, fault } from './fault.js'

const route = 'GET /auth'

export const authorizationFaults = [
  fault({
    id: 'authorization/state-dropped',
    breaks: ['AUTH-1'],
    title: 'Leaves state out of the redirect',
    response: { [route]: codeRedirect((target) => target.searchParams.delete('state')) },
  }),
  fault({
    id: 'authorization/state-changed',
    breaks: ['AUTH-1'],
    title: 'Sends state back in lower case',
    response: {
      [route]: codeRedirect((target) => {
        target.searchParams.set('state', String(target.searchParams.get('state')).toLowerCase())
      }),
    },
  }),
  fault({
    id: 'authorization/code-in-fragment',
    breaks: ['AUTH-1'],
    title: 'Sends code and state in the fragment',
    response: {
      [route]: codeRedirect((target) => {
        target.hash = target.search.slice(1)
        target.search = ''
      }),
    },
  }),
  fault({
    id: 'authorization/see-other',
    breaks: ['AUTH-1'],
    title: 'Redirects with 303',
    response: {
      [route]: (response) => (codeTarget(response.headers.location) ? { ...response, status: 303 } : response),
    },
  }),
]

function codeTarget(location: unknown): boolean {
  return typeof location === 'string' && URL.canParse(location) && new URL(location).searchParams.has('code')
}

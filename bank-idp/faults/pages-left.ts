import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { fault } from './fault.js'
import { errorRedirect } from './redirects.js'

const route = 'GET /auth'

/** The page that a person saw last, by the interaction: what they leave is that page. */
const lastPages = () => new Latest<string>(10_000)

/** The interaction that a browser is in, by its cookies. */
function interactionOf({ requestHeader }: Pick<ResponseFacts, 'requestHeader'>): string {
  return /__Secure-(?:interaction|resume)=([\w-]+)/.exec(requestHeader('cookie') ?? '')?.[1] ?? ''
}

/** The id of a page's form. */
export function formOf(page: string): string | undefined {
  return /<form[^>]* id="([\w-]+)"/.exec(page)?.[1]
}

/** For `response`: changes the error of who leaves one page, told by the id of its form. */
function whereLeft(page: string, change: (target: URL) => void) {
  return {
    'GET /interaction': (response: SeamResponse, facts: ResponseFacts, pages: Latest<string>) => {
      const id = formOf(String(response.body))
      if (id !== undefined) pages.set(interactionOf(facts), id)
      return response
    },
    [route]: (response: SeamResponse, facts: ResponseFacts, pages: Latest<string>) =>
      pages.get(interactionOf(facts)) === page ? errorRedirect(change)(response) : response,
  }
}

/** What becomes of the error of who takes longer than ten minutes to leave the pages. */
const late: readonly (readonly [string, string, (target: URL) => void])[] = [
  [
    'without-state',
    'Forgets state where a person takes longer than ten minutes to leave the pages',
    ({ searchParams }) => searchParams.delete('state'),
  ],
  [
    'in-fragment-too',
    'Sends the error of who takes longer than ten minutes to leave the pages in the query, and once more in the fragment',
    (target) => {
      target.hash = target.search.slice(1)
    },
  ],
]

/** Mistakes about who leaves a page of the login. */
export const pageLeftFaults = [
  ...(['second-factor', 'account'] as const).map((page) =>
    fault({
      id: `errors/${page}-without-state`,
      breaks: ['GEN-4'],
      places: [`when=by-person error=${page}`],
      title: `Leaves state out where a person leaves the page ${page}`,
      memory: lastPages,
      response: whereLeft(page, ({ searchParams }) => searchParams.delete('state')),
    }),
  ),
  ...late.map(([slug, title, change]) =>
    fault({
      id: `errors/late-${slug}`,
      breaks: ['GEN-4'],
      places: ['sign-in', 'consent'].map((page) => `use=near-expiry when=by-person error=${page}`),
      title,
      /** When each interaction showed its first page. */
      memory: () => new Latest<number>(10_000),
      response: {
        'GET /interaction'(response: SeamResponse, facts: ResponseFacts, begun: Latest<number>) {
          const one = interactionOf(facts)
          if (!begun.has(one)) begun.set(one, nowSeconds())
          return response
        },
        [route](response: SeamResponse, facts: ResponseFacts, begun: Latest<number>) {
          const seconds = nowSeconds() - (begun.get(interactionOf(facts)) ?? nowSeconds())
          return seconds > 600 ? errorRedirect(change)(response) : response
        },
      },
    }),
  ),
  fault({
    id: 'callback/identification-declined-otherwise',
    breaks: ['AUTH-29'],
    places: ['grant=signing'],
    title: 'Tells that it is refused, in words of its own, where a person declines to be whom id_token_hint names',
    memory: lastPages,
    response: whereLeft('identify', ({ searchParams }) => searchParams.set('error_description', 'Refused')),
  }),
  fault({
    id: 'callback/account-left-otherwise',
    breaks: ['AUTH-41'],
    places: ['member=account'],
    title: 'Answers who leaves the choice of an account as account_selection_required',
    memory: lastPages,
    response: whereLeft('account', ({ searchParams }) => searchParams.set('error', 'account_selection_required')),
  }),
]

import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { endpoints } from './user-data-seam.js'

/** A bank that takes for an access token what is none, and answers at userinfo or profile as it did to the token itself. */

/** What an endpoint answered to good tokens, by the token: the latest thousand. */
type Answers = Latest<SeamResponse>

/** Whether an Authorization header is taken for that of a token. */
type Likeness = (header: string, token: string) => boolean

/** For `response`: the answer that a token like the one sent was given, in place of a refusal. */
const answeredAsLike =
  (isLike: Likeness) =>
  (response: SeamResponse, { requestHeader }: ResponseFacts, answers: Answers): SeamResponse => {
    const header = requestHeader('authorization') ?? ''
    const [, token] = /^Bearer (\S+)$/.exec(header) ?? []
    if (response.status === 200 && token !== undefined) answers.set(token, response)
    if (response.status !== 401 || header === '') return response
    for (const [known, answer] of answers.entries())
      if (header !== `Bearer ${known}` && isLike(header, known)) return answer
    return response
  }

const bearer = (header: string) => header.replace(/^Bearer +/, '')

const rows: readonly [slug: string, words: string, place: string, isLike: Likeness][] = [
  [
    'prefix',
    'the beginning of an access token for it',
    'value=prefix',
    (header, token) => bearer(header).length > 8 && token.startsWith(bearer(header)),
  ],
  [
    'suffix',
    'an access token without its beginning for it',
    'value=suffix',
    (header, token) => bearer(header).length > 8 && token.endsWith(bearer(header)),
  ],
  [
    'superset',
    'an access token with more behind it for it',
    'value=superset',
    (header, token) => header.startsWith(`Bearer ${token}`),
  ],
  [
    'last-word',
    'the last word of the Authorization header for the access token',
    'value=both',
    (header, token) => /^Bearer \S+ \S+$/.test(header) && header.endsWith(` ${token}`),
  ],
  [
    'first-word',
    'the first word behind Bearer for the access token',
    'value=both',
    (header, token) => header.startsWith(`Bearer ${token} `),
  ],
  [
    'other-case',
    'an access token in other letters, large or small, for it',
    'value=lower-case',
    (header, token) => bearer(header).toLowerCase() === token.toLowerCase(),
  ],
  [
    'any-scheme',
    'an access token under whatever scheme',
    'parameter=scheme value=wrong',
    (header, token) => /^\S+ /.test(header) && header.endsWith(` ${token}`) && !header.startsWith('Bearer '),
  ],
  [
    'no-scheme',
    'an access token without a scheme',
    'parameter=scheme value=missing',
    (header, token) => header === token,
  ],
]

/** One for each likeness and endpoint, and one for what the bank gave for another use. */
export const bearerFaults: readonly Fault[] = endpoints.flatMap((endpoint) => [
  ...rows.map(([slug, words, place, isLike]) =>
    fault({
      id: `${endpoint}/token-by-${slug}`,
      breaks: ['DATA-7'],
      places: [`endpoint=${endpoint} ${place}`],
      title: `Takes ${words} at ${endpoint}`,
      memory: (): Answers => new Latest(1_000),
      response: { [`GET /${endpoint}`]: answeredAsLike(isLike) },
    }),
  ),
  fault({
    id: `${endpoint}/registration-token-taken`,
    breaks: ['DATA-7'],
    places: [`endpoint=${endpoint} client-auth=registration-access-token`],
    title: `Takes a registration access token in place of an access token at ${endpoint}`,
    memory: () => ({
      tokens: new Latest<true>(1_000),
      answers: new Latest<SeamResponse>(1),
    }),
    response: {
      'POST /register': (response, _bank, { tokens }) => {
        const { registration_access_token: token } = (response.body ?? {}) as Record<string, unknown>
        if (typeof token === 'string') tokens.set(token, true)
        return response
      },
      [`GET /${endpoint}`]: (
        response: SeamResponse,
        { requestHeader }: ResponseFacts,
        { tokens, answers }: { tokens: Latest<true>; answers: Answers },
      ) => {
        if (response.status === 200) answers.set('latest', response)
        return tokens.has(bearer(requestHeader('authorization') ?? '')) ? (answers.get('latest') ?? response) : response
      },
    },
  }),
])

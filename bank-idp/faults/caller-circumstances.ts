import { nowSeconds } from '../clock.js'
import type { JudgedAssertion, ResponseFacts, SeamResponse } from '../seams.js'
import { CallerMemory } from './caller-memory.js'
import { type Fault, fault, omit } from './fault.js'

/** What a bank does for some of those who ask about a token, and not for others. */

/** Whom it is done for: the place of each requirement, in words, and by the request. */
interface Caller {
  slug: string
  words: string
  is(facts: ResponseFacts): boolean
}

const algorithmOf = ({ form }: Pick<ResponseFacts, 'form'>) =>
  Buffer.from((form.get('client_assertion') ?? '').split('.')[0] ?? '', 'base64url').toString()

const byBearer: Caller = {
  slug: 'bearer',
  words: 'to who sends an access token as Bearer',
  is: ({ requestHeader }) => /^Bearer /i.test(requestHeader('authorization') ?? ''),
}
const bySecret: Caller = {
  slug: 'secret',
  words: 'to who sends a client_secret',
  is: ({ form }) => form.has('client_secret') && !form.has('client_assertion'),
}
const bySecretJwt: Caller = {
  slug: 'secret-jwt',
  words: 'to who signs an assertion with a client_secret',
  is: (facts) => /"HS/.test(algorithmOf(facts)),
}
const withHint: Caller = {
  slug: 'hint',
  words: 'to who sends token_type_hint',
  is: ({ form }) => form.has('token_type_hint'),
}

/** Whom less is told of a live token, by the place of INTR-1. */
const toldLess: readonly (readonly [Caller, string])[] = [
  [byBearer, 'caller=bearer token=access-of-code'],
  [bySecretJwt, 'client-auth=client_secret_jwt token=access-of-code'],
  [withHint, 'token=access-of-code parameter=token_type_hint'],
]

/** Who is answered with an error where a token is unknown, by the place of INTR-2 and of REV-10. */
const refused: readonly (readonly [Caller, string])[] = [
  [byBearer, 'caller=bearer value=unknown'],
  [bySecret, 'client-auth=client_secret_post value=unknown'],
  [bySecretJwt, 'client-auth=client_secret_jwt value=unknown'],
]

const unknownToken: SeamResponse = {
  status: 400,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: { error: 'invalid_token', error_description: 'the token is unknown' },
}

const isActive = ({ body }: SeamResponse) => (body as { active?: unknown } | undefined)?.active === true

/** Which check of an assertion is forgotten where ES512 signed it: the places, and what is hidden from the check. */
const ofEs512: readonly {
  part: string
  breaks: string
  places: readonly string[]
  title: string
  hidden(assertion: JudgedAssertion, audience: readonly string[], clientId: string): JudgedAssertion['claims']
}[] = [
  {
    part: 'exp',
    breaks: 'TOK-38',
    places: ['endpoint=token-info part=exp alg=ES512'],
    title: 'that has expired, or never does',
    hidden: () => ({ exp: nowSeconds() + 60 }),
  },
  {
    part: 'jti',
    breaks: 'TOK-38',
    places: ['endpoint=token-info part=jti alg=ES512'],
    title: 'without jti',
    hidden: ({ claims: { jti }, jwt }) => ({ jti: jti ?? jwt.slice(-40) }),
  },
  {
    part: 'aud',
    breaks: 'INTR-6',
    places: ['alg=ES512 value=missing', 'alg=ES512 value=wrong'],
    title: 'whoever it is made out to',
    hidden: (_assertion, [own]) => (own === undefined ? {} : { aud: own }),
  },
  ...(['iss', 'sub'] as const).map((name) => ({
    part: `${name}-by-superset`,
    breaks: 'TOK-14',
    places: [`endpoint=token-info part=${name} alg=ES512 value=superset`],
    title: `whose ${name} begins with the client_id`,
    hidden: ({ claims }: JudgedAssertion, _audience: readonly string[], clientId: string) =>
      String(claims[name]).startsWith(clientId) ? { [name]: clientId } : {},
  })),
]

export const callerCircumstanceFaults: readonly Fault[] = [
  ...toldLess.map(([{ slug, words, is }, place]) =>
    fault({
      id: `introspection/sub-missing-${slug}`,
      breaks: ['INTR-1'],
      places: [place],
      title: `Leaves sub out of what it tells of a token ${words}`,
      response: {
        'POST /token-info': (response, facts) =>
          isActive(response) && is(facts)
            ? { ...response, body: omit(response.body as Record<string, unknown>, 'sub') }
            : response,
      },
    }),
  ),
  fault({
    id: 'introspection/revoked-live-by-hint',
    breaks: ['INTR-2'],
    places: ['use=after-revocation token=access-of-code parameter=token_type_hint'],
    title: 'Says of a revoked token what it said before where token_type_hint is sent',
    memory: () => new CallerMemory(),
    response: {
      'POST /token-info'(response, { form }, { told }) {
        const token = form.get('token') ?? ''
        if (isActive(response)) told.set(token, Object(response.body))
        return form.has('token_type_hint') ? { ...response, body: told.get(token) ?? response.body } : response
      },
    },
  }),
  ...refused.map(([{ slug, words, is }, place]) =>
    fault({
      id: `introspection/unknown-is-an-error-${slug}`,
      breaks: ['INTR-2'],
      places: [place],
      title: `Answers 400 where the token is unknown ${words}`,
      response: {
        'POST /token-info': (response, facts) =>
          response.status === 200 && !isActive(response) && is(facts) ? unknownToken : response,
      },
    }),
  ),
  ...refused.map(([{ slug, words, is }, place]) =>
    fault({
      id: `revocation/unknown-is-an-error-${slug}`,
      breaks: ['REV-10'],
      places: [place],
      title: `Answers 400 where the token to revoke is unknown ${words}`,
      memory: () => new CallerMemory(),
      response: {
        'POST /token'(response, { form }, { tokens }) {
          tokens.note(response, String(form.get('grant_type')))
          return response
        },
        'POST /revoke': (response, facts, { tokens }) =>
          response.status < 300 && is(facts) && !tokens.of(facts.form.get('token')) ? unknownToken : response,
      },
    }),
  ),
  fault({
    id: 'client-authentication/secret-unchecked-at-refresh',
    breaks: ['CLIENT-1'],
    places: ['wrong', 'prefix'].map((value) => `endpoint=token grant=refresh value=${value}`),
    title: 'Takes any client_secret where a refresh token is exchanged',
    without: ['client-authentication/secret at refresh_token'],
  }),
  fault({
    id: 'client-authentication/none-suffices-at-refresh',
    breaks: ['CLIENT-1', 'TOK-17'],
    places: ['endpoint=token grant=refresh value=empty', 'grant=refresh error=invalid_client'],
    title: 'Takes a client_id for a client, without its credentials, where a refresh token is exchanged',
    without: ['client-authentication/present at refresh_token'],
  }),
  ...ofEs512.map(({ part, breaks, places, title, hidden }) =>
    fault({
      id: `client-assertion/${part}-unchecked-es512`,
      breaks: [breaks],
      places,
      title: `Takes a client assertion by ES512 ${title}, at /token-info`,
      judgedAssertion: (assertion, { endpoint, audience, clientId }) =>
        endpoint === '/token-info' && assertion.header.alg === 'ES512'
          ? { ...assertion, claims: { ...assertion.claims, ...hidden(assertion, audience, clientId) } }
          : assertion,
    }),
  ),
]

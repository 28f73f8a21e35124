import { createHash, randomBytes } from 'node:crypto'
import type { Person } from '../../../fixtures/people.js'
import { BankError } from '../../errors.js'
import { ask } from '../../in-process.js'
import type { Behaviour } from '../../pages/go-through-pages.js'
import { type ActingClient, claimsOf, credentials } from '../client-credentials.js'
import { comeBack } from '../end-user.js'
import type { Bench, Operation } from '../operation.js'
import type { LoginAnswer, LoginInput } from '../operation-data.js'
import { refusalOf, successOf } from '../refusal.js'
import { unknownClient } from '../unknown-client.js'
import { personOf } from './people.js'

const text = { type: 'string' }

/** Private keys, where an operation takes them. */
export const privateJwks = {
  type: 'object',
  description: 'Private keys of a client that was not made here since the start.',
  required: ['keys'],
  properties: { keys: { type: 'array', items: { type: 'object' } } },
}

/** @throws {BankError} not_found */
export async function actingClient(
  bench: Bench,
  { client_id, private_jwks }: Pick<LoginInput, 'client_id' | 'private_jwks'>,
): Promise<ActingClient> {
  const { context, madeKeys } = bench
  const client = await context.clients.find(client_id)
  if (!client) throw await unknownClient(bench, client_id)
  return { client, keys: private_jwks ?? madeKeys.of(client_id), issuer: context.config.issuer }
}

/** What the authorization request says beside what every one does. */
function asked({ prompt, acr_values, max_age, claims }: LoginInput): Record<string, string> {
  return {
    ...(prompt !== undefined && { prompt }),
    ...(acr_values !== undefined && { acr_values }),
    ...(max_age !== undefined && { max_age: String(max_age) }),
    ...(claims !== undefined && { claims: JSON.stringify(claims) }),
  }
}

/** @throws {BankError} not_found where a person does not have the identity that they are to go on as */
function checkAccount({ login, accounts = [] }: Person, account: string | undefined): void {
  if (account === undefined || accounts.some(({ id }) => id === account)) return
  const ids = accounts.map(({ id }) => id).join(', ')
  const known = ids === '' ? `${login} has one identity alone: leave account out` : `those of ${login} are ${ids}`
  throw new BankError('not_found', `account: there is no '${account}'; ${known}`)
}

/** @throws {BankError} with the error that the client is told, and access_denied where the state came back as another */
function codeOf({ searchParams }: URL, state: string): string {
  const answer = Object.fromEntries(searchParams)
  if (answer.error !== undefined) throw refusalOf(answer, 'GET /auth')
  if (answer.state !== state) throw refusalOf({}, 'GET /auth, with another state,')
  return String(answer.code)
}

export const logIn: Operation<LoginInput, LoginAnswer> = {
  id: 'logIn',
  method: 'post',
  path: '/logins',
  summary:
    'Logs a person in without a browser: through the real /auth, its pages and /token. A refusal is answered as its error.',
  input: {
    required: ['client_id', 'login'],
    properties: {
      client_id: text,
      login: { ...text, description: 'Login name of the person.' },
      scope: { ...text, description: 'Space-delimited; default: openid.' },
      redirect_uri: { ...text, description: 'Default: the first that the client registered.' },
      prompt: text,
      acr_values: text,
      max_age: { type: 'integer', minimum: 0 },
      nonce: { ...text, description: 'Default: a random one.' },
      pkce: { type: 'boolean', description: 'Whether to use PKCE, S256; default: true.' },
      claims: { type: 'object', description: 'The claims parameter.' },
      consent: { type: 'array', items: text, description: 'Which scopes the person approves; default: all.' },
      decline: { enum: ['login', 'consent'], description: 'Where the person turns back.' },
      account: { ...text, description: 'Id of the identity, for a person who has several; default: the first.' },
      private_jwks: privateJwks,
    },
  },
  output: {
    type: 'object',
    required: ['tokens', 'claims'],
    properties: {
      tokens: { type: 'object', description: 'The answer of POST /token, as it is.' },
      claims: { type: 'object', description: 'Of the id_token: decrypted and read, not verified.' },
    },
  },
  example: {
    input: { client_id: '0b6c1d2e', login: 'jana', scope: 'openid profile.name' },
    output: {
      tokens: { access_token: 'a-token', id_token: 'e30.e30.', scope: 'openid profile.name', token_type: 'Bearer' },
      claims: { iss: 'https://localhost:8443', sub: '8f7a', acr: 'loa2' },
    },
  },
  async run(bench, input) {
    const { login, scope = 'openid', consent, decline, account, pkce = true } = input
    checkAccount(personOf(bench, login), account)
    const acting = await actingClient(bench, input)
    const redirect_uri = input.redirect_uri ?? String(acting.client.record.redirect_uris[0])
    const [state, verifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')]
    const query = new URLSearchParams({
      client_id: input.client_id,
      redirect_uri,
      response_type: 'code',
      scope,
      state,
      nonce: input.nonce ?? randomBytes(16).toString('base64url'),
      ...(pkce && {
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }),
      ...asked(input),
    })
    const person: Behaviour = { login, decline, account, ...(consent && { consent }) }
    const back = await comeBack(bench, `/auth?${query}`, redirect_uri, person)
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: codeOf(back, state),
      redirect_uri,
      ...(pkce && { code_verifier: verifier }),
      ...(await credentials(acting, '/token')),
    })
    const tokens = successOf(await ask(bench, { method: 'POST', address: '/token', body: form }), 'POST /token')
    const claims = await claimsOf(acting, String(tokens.id_token))
    return { tokens: tokens as LoginAnswer['tokens'], claims: claims as LoginAnswer['claims'] }
  },
}

import type { Request } from 'express'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import type { Policy } from '../policy.js'
import { authenticateClient, hasCredentials, queryOf, schemeOf, single } from '../provider/client-authentication.js'
import { findToken, type LiveToken } from '../provider/tokens.js'
import { runSteps, type Step } from '../steps.js'
import { requireAccessToken } from './access-token.js'

/** The spellings of the hint: the samples write token_type_hin (AMB-5). */
const spellings = ['token_type_hint', 'token_type_hin']
const kinds = ['access_token', 'refresh_token']

/** A hint never decides; whether one of unknown value is an error is left open (AMB-56). */
function checkHint(form: URLSearchParams, policy: Pick<Policy, 'tokenTypeHintName' | 'unknownTokenTypeHint'>): void {
  const read = policy.tokenTypeHintName === 'token-type-hint-only' ? spellings.slice(0, 1) : spellings
  const hints = read.flatMap((name) => single(form, name) ?? [])
  const unknown = hints.find((hint) => !kinds.includes(hint))
  if (unknown !== undefined && policy.unknownTokenTypeHint === 'refused') {
    throw new BankError('unsupported_token_type', `${unknown} is not a token type`).refusedBy('token/hint')
  }
}

/**
 * The client whose live access token the request carries as Bearer (AMB-47). Published clients send one beside their client authentication,
 * which alone then says who calls.
 */
async function bearer(
  context: Pick<
    BankContext,
    'clients' | 'config' | 'outbox' | 'people' | 'policy' | 'provider' | 'seams' | 'signingRequests' | 'subjects'
  >,
  req: Request,
  form: URLSearchParams,
): Promise<Client | undefined> {
  if (schemeOf(req)?.toLowerCase() !== 'bearer' || hasCredentials(form)) return undefined
  if (context.policy.tokenCaller === 'credentials-only') return undefined
  return (await requireAccessToken(context, req, 'token-caller')).client
}

/** Who asks about a token, and the token asked about; undefined where the asker learns nothing of it. */
interface Question {
  caller: Client
  /** How the caller authenticated. */
  by: 'credentials' | 'bearer'
  token: LiveToken | undefined
}

/** What is found out about a token before anything is said of it, by its kind and by who asks. */
const questionSteps: readonly Step<Question>[] = (['access_token', 'refresh_token'] as const).flatMap((kind) =>
  (['credentials', 'bearer'] as const).map((by) => ({
    // A token of another client is as good as unknown.
    id: `token/owner-of-${kind}-by-${by}`,
    run(question: Question) {
      const { token, caller } = question
      if (token?.kind === kind && question.by === by && token.client.clientId !== caller.clientId)
        question.token = undefined
    },
  })),
)

/**
 * Who asks about a token, and the live token asked about if it is the asker's own. Specification: "Authentication" 4: client
 * credentials, or a client access token.
 *
 * @throws {BankError} invalid_client, invalid_token or invalid_request
 */
export async function ownToken(
  context: Pick<
    BankContext,
    | 'assertionIds'
    | 'clientKeys'
    | 'clients'
    | 'config'
    | 'outbox'
    | 'people'
    | 'policy'
    | 'provider'
    | 'seams'
    | 'signingRequests'
    | 'subjects'
  >,
  req: Request,
  form: URLSearchParams,
  endpoint: '/token-info' | '/revoke',
): Promise<Question> {
  const facts = { issuer: context.config.issuer, query: queryOf(req) }
  context.seams.request(`POST ${endpoint}`, form, facts, form.get('client_id') ?? undefined)
  const value = single(form, 'token')
  const token = value === undefined ? undefined : await findToken(context, value)
  const holder = await bearer(context, req, form)
  const caller = holder ?? (await authenticateClient(context, req, form, endpoint, { owner: token?.client }))
  if (value === undefined) throw new BankError('invalid_request', 'token is missing').refusedBy('token/present')
  checkHint(form, context.policy)
  const question: Question = { caller, by: holder ? 'bearer' : 'credentials', token }
  await runSteps(questionSteps, question, context.seams, caller.clientId)
  return question
}

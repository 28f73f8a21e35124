import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { leadsToBoth } from './claims.js'
import { type ClientRequest, sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { attempt } from './operation.js'
import { client } from './registration.js'
import { inStep } from './steps.js'
import { accessTokenOf, type OfflineLogin, offlineToken } from './token.js'

/**
 * The forms that a refresh can have, in the order they are tried: the parameter with the refresh token goes by one of two names (AMB-4), and
 * redirect_uri is sent wherever the bank takes it, since it is among the fields that are listed ("Exposed by the bank" 7).
 */
const refreshForms = [
  { parameter: 'refresh_token', redirectUri: true },
  { parameter: 'code', redirectUri: true },
  { parameter: 'refresh_token', redirectUri: false },
  { parameter: 'code', redirectUri: false },
] as const

type RefreshForm = (typeof refreshForms)[number]

/** Which of them the bank takes, found out once in a run with a login of its own. @throws StepFailure when it takes none */
function refreshForm(conversation: Conversation): Promise<RefreshForm> {
  return conversation.shared('refresh form', async (own) => {
    // Where no client is given, at one of its own: that a later login gives no refresh token is for the rules about several to say (TOK-3).
    const ofItsOwn = own.run.target.client ? {} : { clientMetadata: { client_name: 'A client that refreshes' } }
    const login = await offlineToken.fresh(own, ofItsOwn)
    return inStep('refresh', async () => {
      const answers: HttpResponse[] = []
      for (const form of refreshForms) {
        const response = await sendClientRequest(own, await refreshWith(own, login, form, login.refreshToken))
        if (accessTokenOf(own, response)) return form
        answers.push(response)
      }
      const [first] = answers
      const sentence = `POST /token gave no access token for the refresh token (status ${first?.status})`
      throw new BankFailure({ sentence, ...(first && { evidence: first.evidence }) })
    })
  })
}

/** The name of the parameter from which the bank takes the refresh token. @throws StepFailure when it takes it from none */
export async function refreshParameter(conversation: Conversation): Promise<RefreshForm['parameter']> {
  return (await refreshForm(conversation)).parameter
}

async function refreshWith(
  conversation: Conversation,
  { client }: Pick<OfflineLogin, 'client'>,
  { parameter, redirectUri }: RefreshForm,
  token: string,
): Promise<ClientRequest> {
  return {
    client,
    endpoint: await (await discover(conversation)).endpoint('token_endpoint'),
    form: {
      grant_type: 'refresh_token',
      [parameter]: token,
      ...(redirectUri && { redirect_uri: client.redirectUri }),
    },
    authentication: {},
  }
}

/** What is refreshed, and how. */
export interface RefreshOptions {
  /** A new one of its own when left out. */
  login?: Pick<OfflineLogin, 'client' | 'refreshToken'>
  /** In place of the login's own. */
  refreshToken?: string
  /** Further parameters, such as scope. */
  form?: ClientRequest['form']
}

/** POST /token with grant refresh_token ("Exposed by the bank" 7). */
export const refresh = attempt({
  async prepare(conversation, { login: given, refreshToken, form }: RefreshOptions): Promise<ClientRequest> {
    const login = given ?? (await offlineToken.fresh(conversation))
    const good = await refreshForm(conversation)
    const request = await refreshWith(conversation, login, good, refreshToken ?? login.refreshToken)
    return { ...request, form: { ...request.form, ...form } }
  },
  async send(conversation, request) {
    const response = await sendClientRequest(conversation, request)
    accessTokenOf(conversation, response)
    const { client: owner, form } = request
    const named = form.scope ? { scope: form.scope } : {}
    conversation.run.seenTokens.noteGrant({ of: 'refresh', client: owner, response, ...named })
    return response
  },
  baseline: refreshForm,
})

/** One login for all that the client registered, refreshed six times in a row, each time with the refresh token then valid. */
export interface RefreshChain {
  login: OfflineLogin
  /** The scopes asked for in the first. */
  subset: string[]
  /** Narrowed to openid and the first data scope. */
  narrowed: HttpResponse
  /** Narrowed to openid. */
  least: HttpResponse
  /** Without scope. */
  whole: HttpResponse
  /** The scopes asked for then: openid, and a data scope that the first refresh had not. */
  other: string[]
  narrowedOtherwise: HttpResponse
  /** For all scopes of the login, the last first. */
  reordered: HttpResponse
  /** For the scopes of the first, the last of them named twice; a bank may refuse it. */
  repeated: HttpResponse
  /** The refresh tokens in the order in which they were valid; the last one is. */
  refreshTokens: readonly string[]
}

/** The refresh token that a response leaves valid: a new one, else the one before. */
export function nextRefreshToken(response: HttpResponse, before: string): string {
  const next = response.member('refresh_token')
  return typeof next === 'string' && next !== '' ? next : before
}

/** The chain of refreshes, once in a run. */
export function refreshChain(conversation: Conversation): Promise<RefreshChain> {
  return conversation.shared('refresh chain', async (own) => {
    const { dataScopes } = await client(own)
    const login = await offlineToken.fresh(own, { scope: ['openid', ...dataScopes, 'offline_access'].join(' ') })
    const subset = login.scopes.slice(0, 2)
    const narrowed = await refresh.try(own, { login, form: { scope: subset.join(' ') } })
    const second = nextRefreshToken(narrowed, login.refreshToken)
    const least = await refresh.try(own, { login, refreshToken: second, form: { scope: 'openid' } })
    const third = nextRefreshToken(least, second)
    // Straight after the narrowest, so that a bank which narrows its refresh token shows.
    const whole = await refresh.try(own, { login, refreshToken: third })
    const fourth = nextRefreshToken(whole, third)
    const others = dataScopes.filter((one) => !subset.includes(one))
    const other = ['openid', ...others.filter(leadsToBoth).slice(0, 1)]
    const form = { scope: other.join(' ') }
    const narrowedOtherwise = await refresh.try(own, { login, refreshToken: fourth, form })
    const fifth = nextRefreshToken(narrowedOtherwise, fourth)
    const all = [...login.scopes].reverse().join(' ')
    const reordered = await refresh.try(own, { login, refreshToken: fifth, form: { scope: all } })
    const sixth = nextRefreshToken(reordered, fifth)
    const twice = { scope: [...subset, ...subset.slice(-1)].join(' ') }
    const repeated = await refresh.try(own, { login, refreshToken: sixth, form: twice })
    const refreshTokens = [login.refreshToken, second, third, fourth, fifth, sixth, nextRefreshToken(repeated, sixth)]
    return { login, subset, narrowed, least, reordered, repeated, whole, other, narrowedOtherwise, refreshTokens }
  })
}

import { capabilities, responseTypes } from '../capabilities.js'
import type { Check } from '../checks.js'
import type { Client } from '../client.js'
import { BankError, type ErrorCode } from '../errors.js'
import { reasonOf } from '../keys/client-keys.js'
import { nearest } from '../nearest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { People } from '../people.js'
import type { Policy } from '../policy.js'

/** An authorization request as it came, not yet believed. */
export interface AuthorizationRequest {
  method: string
  /** The query as it was sent, without its question mark; the form of a POST. */
  query: string
  /** A parameter without a value counts as left out (RFC 6749 section 3.1). */
  parameters: URLSearchParams
  /** The client that client_id names, if there is one. */
  client?: Client
  policy: Policy
  /** Reads an id_token_hint: the sub it is about. @throws {Error} when it is no id_token that the bank issued to the client */
  readHint(hint: string): Promise<string>
  /** What it read. */
  hintedSubject?: string
  /** Whom login_hint may name, where the bank acts on it. */
  people?: Pick<People, 'byLogin' | 'introduced'>
}

/** A check whose error is answered directly, unless the bank takes the reading by which it is redirected. */
export interface DirectCheck extends Check<AuthorizationRequest> {
  redirectedBy?(policy: Policy): boolean
}

/** OpenID Connect Core section 3.1.2.1. */
const methods = ['GET', 'POST']
const displays = ['page', 'popup', 'touch']
const prompts = ['none', 'login', 'consent', 'select_account']
const challengeMethods = capabilities.codeChallengeMethods
/** 68 years in seconds: what a 32-bit count of seconds holds. */
export const maxAgeLimitSeconds = 2 ** 31 - 1
/** A language tag of RFC 5646, by its form; also with underscores, as the claim locale has it (cs_CZ). */
const languageTag = /^(?:[a-z]{2,8}|x|i)(?:[-_][a-z0-9]{1,8})*$/i

function refused(code: ErrorCode, reason: string): BankError {
  return new BankError(code, reason)
}

function missing(name: string): Check<AuthorizationRequest>['check'] {
  return ({ parameters }) => {
    if (!parameters.has(name)) throw refused('invalid_request', `${name} is required`)
  }
}

function presentWhere(
  required: (policy: Policy) => boolean,
  names: readonly string[],
): Check<AuthorizationRequest>['check'] {
  return ({ parameters, policy }) => {
    const absent = names.find((name) => !parameters.has(name))
    if (absent !== undefined && required(policy)) throw refused('invalid_request', `${absent} is required`)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** OpenID Connect Core section 5.5: userinfo and id_token are objects whose members are null or objects. */
function isClaimsRequest(text: string): boolean {
  try {
    const claims: unknown = JSON.parse(text)
    if (!isObject(claims)) return false
    return [claims.userinfo ?? {}, claims.id_token ?? {}].every(
      (part) => isObject(part) && Object.values(part).every((wanted) => wanted === null || isObject(wanted)),
    )
  } catch {
    return false
  }
}

/** What may not be told to an address before it is known to be the client's; in their order, before all other checks. */
export const directChecks: readonly DirectCheck[] = [
  {
    id: 'authorization/method',
    check({ method }) {
      if (!methods.includes(method))
        throw refused('invalid_request', `${method} is not supported, use ${methods.join(' or ')}`)
    },
  },
  {
    id: 'authorization/query-form',
    check({ query }) {
      try {
        decodeURIComponent(query)
      } catch (cause) {
        throw new BankError('invalid_request', 'the query is not percent-encoded UTF-8', { cause })
      }
    },
  },
  {
    id: 'authorization/repeated',
    check({ parameters }) {
      const names = [...parameters.keys()]
      const repeated = names.find((name, at) => names.indexOf(name) !== at)
      if (repeated !== undefined) throw refused('invalid_request', `${repeated} is given more than once`)
    },
  },
  {
    id: 'authorization/client-id',
    check: missing('client_id'),
    redirectedBy: (policy) => policy.missingClientId === 'redirect',
  },
  {
    id: 'authorization/client-known',
    check({ client, policy }) {
      if (client) return
      const code = policy.unknownClient === 'not-found' ? 'not_found' : 'unauthorized_client'
      throw new BankError(code, 'client_id is unknown', { status: 400 })
    },
    redirectedBy: (policy) => policy.unknownClient === 'redirect',
  },
  { id: 'authorization/redirect-uri', check: missing('redirect_uri') },
  {
    id: 'authorization/redirect-uri-registered',
    check({ parameters, client }) {
      if (client?.record.redirect_uris.includes(String(parameters.get('redirect_uri')))) return
      throw refused('invalid_request', 'redirect_uri is not registered for this client')
    },
    redirectedBy: (policy) => policy.unregisteredRedirectUri === 'redirect',
  },
  { id: 'authorization/response-type', check: missing('response_type') },
  {
    id: 'authorization/response-type-supported',
    check({ parameters, policy }) {
      const type = parameters.get('response_type') ?? ''
      if (!responseTypes(policy).includes(type))
        throw refused('unsupported_response_type', `response_type ${type} is not supported`)
    },
    redirectedBy: (policy) => policy.unsupportedResponseType === 'redirect',
  },
  {
    id: 'authorization/response-type-registered',
    check({ parameters, client, policy }) {
      const type = parameters.get('response_type') ?? ''
      // AMB-53: calls are made in the code flow, whatever the client registered.
      if (type === 'code' && policy.codeNotRegistered === 'served') return
      if (!client?.record.response_types.includes(type))
        throw refused('unsupported_response_type', `response_type ${type} is not registered for this client`)
    },
    redirectedBy: (policy) => policy.unsupportedResponseType === 'redirect',
  },
]

/** What makes a request object worth reading; its parameters take the place of those in the query. */
export const requestObjectChecks: readonly Check<AuthorizationRequest>[] = [
  {
    id: 'authorization/request',
    check({ parameters }) {
      if (parameters.has('request'))
        throw refused('request_not_supported', 'the parameter request is not supported, use request_uri')
    },
  },
  {
    id: 'authorization/registration',
    check({ parameters }) {
      if (parameters.has('registration'))
        throw refused('registration_not_supported', 'the parameter registration is not supported')
    },
  },
]

/** The remaining rows of "Effect of authorization request parameters on errors", in their order: their errors are redirected. */
export const parameterChecks: readonly Check<AuthorizationRequest>[] = [
  { id: 'authorization/state', check: missing('state') },
  { id: 'authorization/nonce', check: missing('nonce') },
  {
    id: 'authorization/response-mode',
    check({ parameters }) {
      const mode = parameters.get('response_mode')
      // OAuth 2.0 Multiple Response Type Encoding Practices section 3: a token never travels in the query (AMB-11).
      const allowed = parameters.get('response_type') === 'code' ? capabilities.responseModes : []
      if (mode !== null && !allowed.includes(mode))
        throw refused('invalid_request', `response_mode ${mode} is not supported for this response_type`)
    },
  },
  { id: 'authorization/scope', check: missing('scope') },
  {
    id: 'authorization/scope-openid',
    check({ parameters }) {
      if (!parseSpaceDelimited(parameters.get('scope') ?? '').includes('openid'))
        throw refused('invalid_scope', 'scope must contain openid')
    },
  },
  {
    id: 'authorization/scope-registered',
    check({ parameters, client }) {
      const registered = parseSpaceDelimited(client?.record.scope)
      for (const scope of parseSpaceDelimited(parameters.get('scope') ?? '')) {
        if (!capabilities.scopes.includes(scope)) throw refused('invalid_scope', `scope ${scope} is not supported`)
        if (!registered.includes(scope))
          throw refused('invalid_scope', `scope ${scope} is not registered for this client`)
      }
    },
  },
  {
    id: 'authorization/display-and-prompt',
    check: presentWhere((policy) => policy.displayAndPrompt === 'required', ['display', 'prompt']),
  },
  {
    id: 'authorization/display',
    check({ parameters }) {
      const display = parameters.get('display')
      if (display !== null && !displays.includes(display))
        throw refused('invalid_request', `display: ${display} is not among ${displays.join(', ')}`)
    },
  },
  {
    id: 'authorization/prompt',
    check({ parameters }) {
      const unknown = parseSpaceDelimited(parameters.get('prompt') ?? '').find((prompt) => !prompts.includes(prompt))
      if (unknown !== undefined)
        throw refused('invalid_request', `prompt: ${unknown} is not among ${prompts.join(', ')}`)
    },
  },
  {
    id: 'authorization/prompt-none-alone',
    check({ parameters }) {
      const requested = parseSpaceDelimited(parameters.get('prompt') ?? '')
      if (requested.includes('none') && requested.length > 1)
        throw refused('invalid_request', 'prompt none cannot be combined with another prompt')
    },
  },
  {
    id: 'authorization/acr-values',
    check({ parameters }) {
      const values = parseSpaceDelimited(parameters.get('acr_values') ?? '')
      if (parameters.has('acr_values') && !values.some((value) => capabilities.acrValues.includes(value)))
        throw refused('invalid_request', `acr_values contains none of ${capabilities.acrValues.join(', ')}`)
    },
  },
  {
    id: 'authorization/max-age',
    check({ parameters }) {
      const age = parameters.get('max_age')
      if (age !== null && !(/^\d{1,10}$/.test(age) && Number(age) <= maxAgeLimitSeconds))
        throw refused('invalid_request', `max_age must be a whole number of seconds from 0 to ${maxAgeLimitSeconds}`)
    },
  },
  {
    id: 'authorization/ui-locales',
    check({ parameters }) {
      const wrong = parseSpaceDelimited(parameters.get('ui_locales') ?? '').find((tag) => !languageTag.test(tag))
      if (wrong !== undefined) throw refused('invalid_request', `ui_locales: ${wrong} is not a language tag`)
    },
  },
  {
    id: 'authorization/claims',
    check({ parameters, policy }) {
      const claims = parameters.get('claims')
      if (claims !== null && policy.invalidClaimsParameter === 'refused' && !isClaimsRequest(claims))
        throw refused('invalid_request', 'claims is not a JSON object as defined in OpenID Connect Core 5.5')
    },
  },
  {
    id: 'authorization/id-token-hint',
    async check(request) {
      const hint = request.parameters.get('id_token_hint')
      if (hint === null) return
      request.hintedSubject = await request.readHint(hint).catch((cause) => {
        throw new BankError('invalid_request', `id_token_hint: ${reasonOf(cause)}`, { cause })
      })
    },
  },
  {
    id: 'authorization/login-hint',
    check({ parameters, people }) {
      const hint = parameters.get('login_hint')
      if (hint === null || !people || people.byLogin(hint)) return
      const known = people.introduced().map(({ login }) => login)
      const meant = nearest(hint, known)
      const advice =
        meant === undefined ? `there are ${known.slice(0, 5).join(', ')} and others` : `did you mean ${meant}?`
      throw refused('invalid_request', `login_hint: no person has the login name '${hint}': ${advice}`)
    },
  },
  {
    id: 'authorization/code-challenge-present',
    check: presentWhere((policy) => policy.codeChallenge === 'required', ['code_challenge']),
  },
  {
    id: 'authorization/code-challenge',
    check({ parameters }) {
      const challenge = parameters.get('code_challenge')
      const method = parameters.get('code_challenge_method')
      // Published client libraries send a method with every request: it means nothing without a challenge (RFC 7636 section 4.3).
      if (challenge === null) return
      if (method !== null && !challengeMethods.includes(method))
        throw refused('invalid_request', `code_challenge_method must be one of ${challengeMethods.join(', ')}`)
      if (!/^[\w.~-]{43,128}$/.test(challenge))
        throw refused('invalid_request', 'code_challenge must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~')
    },
  },
]

import { BankError } from '../errors.js'
import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse, StoredRecord } from '../seams.js'
import { type Fault, fault } from './fault.js'

const route = 'POST /token'

type Form = URLSearchParams

/** For `request`: changes the form of a grant. */
function formOf(grant: 'authorization_code' | 'refresh_token', change: (form: Form) => void) {
  return {
    [route]: (form: Form) => {
      if (form.get('grant_type') === grant) change(form)
    },
  }
}

/** For `response`: changes the refusals of a grant that have this code; what has no grant_type counts as a code's. */
function refusalOf(
  grant: 'code' | 'refresh',
  code: string,
  change: (members: Record<string, unknown>) => Record<string, unknown>,
) {
  return (response: SeamResponse, { form }: ResponseFacts): SeamResponse => {
    const { body } = response
    const asked = form.get('grant_type') === 'refresh_token' ? 'refresh' : 'code'
    if (response.status < 400 || asked !== grant || typeof body !== 'object' || body === null) return response
    const members = body as Record<string, unknown>
    return members.error === code ? { ...response, body: change(members) } : response
  }
}

/** Refusals of each grant that a fault leaves without error_description. */
const describedRefusals = [
  ['code', 'invalid_grant'],
  ['code', 'invalid_request'],
  ['refresh', 'invalid_grant'],
  ['refresh', 'invalid_request'],
  ['refresh', 'invalid_scope'],
] as const

/** Parameters that come twice: how the refusal names them, and the places. */
const repeatedOnes = [
  ['redirect_uri', ['grant=code parameter=redirect_uri value=repeated']],
  ['client_(?:secret|assertion)', ['grant=code parameter=credentials value=repeated']],
  ['refresh_token', ['grant=refresh parameter=refresh_token value=repeated']],
  ['grant_type', ['grant=code value=repeated', 'grant=refresh parameter=grant_type value=repeated']],
  ['scope', ['grant=refresh parameter=scope value=repeated']],
] as const

/** What becomes of a refresh token after a refresh was refused for its scope. */
const refusedRefreshes: readonly {
  member: string
  title: string
  change(record: StoredRecord): StoredRecord | undefined
  collateral?: Record<string, string>
}[] = [
  {
    member: 'active',
    title: 'Forgets a refresh token when a refresh is refused for its scope',
    change: () => undefined,
  },
  {
    member: 'scope',
    title: 'Leaves a refresh token openid alone when a refresh is refused for its scope',
    change: (record) => ({ ...record, scope: 'openid' }),
  },
  {
    member: 'exp',
    title: 'Cuts the year of a refresh token in half when a refresh is refused for its scope',
    change: (record) => ({ ...record, exp: Number(record.exp) - 182 * 24 * 3600 }),
  },
]

export const tokenRequestFaults: readonly Fault[] = [
  ...describedRefusals.map(([grant, error]) =>
    fault({
      id: `token/${grant}-${error.replace('_', '-')}-undescribed`,
      breaks: ['TOK-17'],
      places: [`grant=${grant} error=${error}`],
      title: `Leaves error_description out of ${error} where a ${grant === 'code' ? 'code' : 'refresh token'} is redeemed`,
      response: { [route]: refusalOf(grant, error, ({ error_description: _, ...members }) => members) },
    }),
  ),
  ...refusedRefreshes.map(({ member, title, change, collateral }) =>
    fault({
      id: `token/refresh-refused-changes-${member}`,
      breaks: ['TOK-45'],
      places: [`member=${member}`],
      title,
      ...(collateral && { collateral }),
      memory: () => new Latest<true>(10_000),
      response: {
        [route](response, { form }, refused) {
          const { error } = (response.body ?? {}) as { error?: unknown }
          if (error === 'invalid_scope') refused.set(String(form.get('refresh_token')), true)
          return response
        },
      },
      records: [
        {
          model: 'RefreshToken',
          found: (record, _bank, refused) => (refused.has(String(record.jti)) ? change(record) : record),
        },
      ],
    }),
  ),
  ...(
    [
      ['upper-case', (grant: string) => grant.toLowerCase() === 'authorization_code'],
      ['prefix', (grant: string) => 'authorization_code'.startsWith(grant)],
      ['superset', (grant: string) => grant.startsWith('authorization_code')],
    ] as const
  ).map(([value, isTaken]) =>
    fault({
      id: `token/grant-type-${value}`,
      breaks: ['TOK-40'],
      places: [`value=${value}`],
      title: `Takes for authorization_code a grant_type that is like it (${value})`,
      request: {
        [route](form) {
          const grant = form.get('grant_type')
          if (grant && isTaken(grant)) form.set('grant_type', 'authorization_code')
        },
      },
    }),
  ),
  fault({
    id: 'token/grant-type-defaulted',
    breaks: ['TOK-41'],
    places: ['grant=code parameter=grant_type', 'grant=refresh parameter=grant_type'],
    title: 'Tells a missing grant_type from what else is in the form',
    collateral: { 'token/refusal-form': 'no grant_type is no refusal any more' },
    request: {
      [route](form) {
        if (form.has('grant_type')) return
        if (form.has('refresh_token')) form.set('grant_type', 'refresh_token')
        else if (form.has('code')) form.set('grant_type', 'authorization_code')
      },
    },
  }),
  fault({
    id: 'token/code-missing-looked-up',
    breaks: ['TOK-41'],
    places: ['grant=code parameter=code'],
    title: 'Looks up a code that is missing',
    request: formOf('authorization_code', (form) => {
      if (!form.has('code')) form.set('code', 'none')
    }),
  }),
  fault({
    id: 'token/code-empty-looked-up',
    breaks: ['TOK-41'],
    places: ['grant=code value=empty'],
    title: 'Looks up an empty code',
    request: formOf('authorization_code', (form) => {
      if (form.get('code') === '') form.set('code', 'none')
    }),
  }),
  fault({
    id: 'token/code-twice-looked-up',
    breaks: ['TOK-41'],
    places: ['grant=code value=repeated'],
    title: 'Says invalid_grant where a parameter comes twice',
    response: {
      [route]: refusalOf('code', 'invalid_request', (members) =>
        /more than once|twice|repeated/.test(String(members.error_description))
          ? { ...members, error: 'invalid_grant' }
          : members,
      ),
    },
  }),
  fault({
    id: 'token/repeated-parameter-taken',
    breaks: ['TOK-41'],
    places: ['grant=code value=repeated', 'grant=refresh parameter=scope value=repeated'],
    title: 'Takes the first value of a parameter that comes twice',
    without: ['form/repeated at /token'],
    request: {
      [route](form: URLSearchParams) {
        for (const name of new Set(form.keys())) form.set(name, String(form.get(name)))
      },
    },
  }),
  ...repeatedOnes.map(([name, places]) => {
    const parameter = name.startsWith('client_') ? 'credentials' : name
    const refused = new RegExp(`^${name} is given more than once`)
    return fault({
      id: `token/${parameter.replace('_', '-')}-twice-looked-up`,
      breaks: ['TOK-41'],
      places,
      title: `Says invalid_grant where ${parameter} comes twice`,
      response: {
        // What the grant is was not read yet.
        [route]: refusalOf('code', 'invalid_request', (members) =>
          refused.test(String(members.error_description)) ? { ...members, error: 'invalid_grant' } : members,
        ),
      },
    })
  }),
  fault({
    id: 'token/refresh-token-empty-looked-up',
    breaks: ['TOK-41'],
    places: ['grant=refresh value=empty'],
    title: 'Looks up an empty refresh token',
    request: formOf('refresh_token', (form) => {
      if (form.get('refresh_token') === '') form.set('refresh_token', 'none')
    }),
  }),
  fault({
    id: 'token/refresh-token-missing-looked-up',
    breaks: ['TOK-41'],
    places: ['grant=refresh parameter=refresh_token'],
    title: 'Looks up a refresh token that is missing',
    request: formOf('refresh_token', (form) => {
      if (!form.has('refresh_token')) form.set('refresh_token', 'none')
    }),
  }),
  fault({
    id: 'token/refresh-client-id-needed',
    breaks: ['TOK-29'],
    places: ['parameter=client_id value=missing'],
    title: 'Refuses a refresh without client_id, though an assertion names the client',
    request: formOf('refresh_token', (form) => {
      if (!form.has('client_id')) throw new BankError('invalid_request', 'client_id is missing')
    }),
  }),
  fault({
    id: 'token/refresh-client-id-needed-by-secret',
    breaks: ['TOK-29'],
    places: ['client-auth=client_secret_jwt'],
    title: 'Refuses a refresh without client_id where a secret signed the assertion',
    request: formOf('refresh_token', (form) => {
      const [header = ''] = String(form.get('client_assertion')).split('.')
      const isHmac = Buffer.from(header, 'base64url').toString().includes('"HS')
      if (isHmac && !form.has('client_id')) throw new BankError('invalid_request', 'client_id is missing')
    }),
  }),
  fault({
    id: 'token/device-grant-unregistered',
    breaks: ['TOK-28'],
    places: ['grant=device'],
    title: 'Says invalid_grant where the client has not registered the device grant',
    response: {
      [route](response, { form }) {
        const { error, ...members } = (response.body ?? {}) as Record<string, unknown>
        const device = form.get('grant_type')?.endsWith(':device_code') === true
        return device && error === 'unauthorized_client'
          ? { ...response, body: { error: 'invalid_grant', ...members } }
          : response
      },
    },
  }),
  fault({
    id: 'token/grant-of-first-record',
    breaks: ['TOK-28'],
    places: ['grant=refresh use=after-put'],
    title: 'Keeps the grants and scopes of a client as it registered them first',
    clients: {
      async replace(record, { store, clientId }) {
        const { grant_types, scope } = (await store.find(clientId))?.record ?? record
        await store.replace(clientId, { ...record, grant_types, scope })
      },
    },
  }),
]

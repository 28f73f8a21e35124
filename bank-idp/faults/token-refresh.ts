import { BankError } from '../errors.js'
import { Latest } from '../latest.js'
import { fault } from './fault.js'
import { listen, TokenMemory } from './token-memory.js'

const route = 'POST /token'
const year = 365 * 24 * 3600

/** For `request`: changes the form of a refresh. */
function refresh<Memory>(change: (form: URLSearchParams, memory: Memory) => void) {
  return {
    [route]: (form: URLSearchParams, _bank: unknown, memory: Memory) => {
      if (form.get('grant_type') === 'refresh_token') change(form, memory)
    },
  }
}

/** Every scope of data that there is. */
const everything = [
  'profile.name',
  'profile.email',
  'profile.phonenumber',
  'profile.birthdate',
  'profile.locale',
  'profile.zoneinfo',
]

function widened(scope: unknown): string {
  return [...new Set([...String(scope).split(' '), ...everything])].join(' ')
}

export const tokenRefreshFaults = [
  fault({
    id: 'token/refresh-scope-ignored',
    breaks: ['TOK-19'],
    places: ['value=subset'],
    title: 'Ignores the scope of a refresh',
    collateral: {
      'token/refresh-openid-data': 'nothing is narrowed',
      'token/refresh-subset-data': 'nothing is narrowed',
      'token/refresh-widened': 'a wider scope is ignored as well',
      'token/refresh-refusal-form': 'a scope that nobody has is ignored as well',
      'consent/required-scope': 'a refresh for openid gives the required scope with all others',
    },
    request: refresh((form) => form.delete('scope')),
  }),
  fault({
    id: 'token/refresh-widened',
    breaks: ['TOK-20'],
    places: ['value=wrong'],
    title: 'Gives a refresh scopes that the refresh token does not have',
    collateral: {
      'token/refresh-whole': 'a refresh without scope gives all of them',
      'token/independent-logins': 'a refresh without scope gives all of them',
      'token/refresh-widened-keeps': 'a refresh without scope gives all of them',
    },
    records: [
      {
        model: 'RefreshToken',
        found: (token) => ({ ...token, scope: widened(token.scope) }),
      },
      {
        model: 'Grant',
        found: (grant) => {
          const { scope } = (grant.openid ?? {}) as { scope?: string }
          return { ...grant, openid: { scope: widened(scope) } }
        },
      },
    ],
  }),
  fault({
    id: 'token/refresh-without-scope-narrowed',
    breaks: ['TOK-21', 'TOK-43'],
    places: ['value=missing'],
    title: 'Gives openid alone to a refresh without scope',
    collateral: {
      'token/independent-logins': 'the earliest login is refreshed without scope',
      'token/refresh-widened-keeps': 'the refresh token is used without scope',
    },
    request: refresh((form) => {
      if (!form.has('scope')) form.set('scope', 'openid')
    }),
  }),
  fault({
    id: 'token/refresh-without-scope-cut',
    breaks: ['TOK-21'],
    places: ['value=long'],
    title: 'Gives a first refresh without scope no more than six of the scopes of a login',
    memory: () => new TokenMemory(),
    response: { [route]: listen },
    request: refresh<TokenMemory>((form, memory) => {
      const issued = memory.of(form.get('refresh_token') ?? form.get('code'))
      if (issued?.grant === 'authorization_code' && !form.has('scope'))
        form.set('scope', issued.scopes.slice(0, 6).join(' '))
    }),
  }),
  fault({
    id: 'token/refresh-expiry-extended',
    breaks: ['TOK-22'],
    title: 'Gives a new refresh token another year',
    records: [
      {
        model: 'RefreshToken',
        kept: (record) => ({ record: record.rotations ? { ...record, exp: Number(record.exp) + year } : record }),
      },
    ],
  }),
  fault({
    id: 'token/refresh-without-openid-refused',
    breaks: ['TOK-19'],
    places: ['value=suffix'],
    title: 'Refuses a refresh for scopes without openid',
    request: refresh((form) => {
      const scope = form.get('scope')
      if (scope && !scope.split(' ').includes('openid')) throw new BankError('invalid_scope', 'openid is missing')
    }),
  }),
  fault({
    id: 'token/refresh-to-openid-whole',
    breaks: ['TOK-23'],
    places: ['endpoint=userinfo', 'endpoint=profile'],
    title: 'Gives all scopes to a refresh that asks for openid alone',
    collateral: {
      'token/refresh-reordered': 'the scopes of each access token are looked into',
    },
    request: refresh((form) => {
      if (form.get('scope') === 'openid') form.delete('scope')
    }),
  }),
  fault({
    id: 'token/refresh-parameter-renamed',
    breaks: ['TOK-24'],
    title: 'Takes the refresh token from the parameter token alone',
    request: refresh((form) => {
      form.delete('code')
      form.set('refresh_token', form.get('token') ?? '')
    }),
  }),
  fault({
    id: 'token/refresh-redirect-uri-refused',
    breaks: ['TOK-29'],
    places: ['parameter=redirect_uri'],
    title: 'Refuses a refresh that carries redirect_uri',
    request: refresh((form) => {
      if (form.has('redirect_uri'))
        throw new BankError('invalid_request', 'redirect_uri is not a parameter of this grant')
    }),
  }),
  fault({
    id: 'token/refresh-data-not-narrowed',
    breaks: ['TOK-42', 'TOK-23', 'DATA-3', 'DATA-4', 'DATA-5'],
    places: [
      'endpoint=userinfo',
      'endpoint=profile',
      'token=access-of-refresh',
      'endpoint=userinfo token=access-of-refresh',
      'endpoint=profile token=access-of-refresh',
    ],
    title: 'Gives an access token of a narrowed refresh all data',
    collateral: {
      'token/refresh-narrowed': 'the scopes of the access token are looked into',
      'token/refresh-reordered': 'the scopes of each access token are looked into',
      'token/refresh-scope-listed': 'the scopes listed are compared with those of the token',
    },
    records: [
      {
        model: 'AccessToken',
        kept: (token, { earlier }) => {
          const first = earlier.find((one) => one.grantId === token.grantId && one.gty === 'authorization_code')
          return { record: first ? { ...token, scope: first.scope } : token }
        },
      },
    ],
  }),
  fault({
    id: 'token/refresh-narrows-for-good',
    breaks: ['TOK-43'],
    places: ['value=missing'],
    title: 'Narrows the refresh token along with the access token',
    memory: () => new TokenMemory(),
    response: { [route]: listen },
    request: refresh((form, tokens: TokenMemory) => {
      const scopes = tokens.of(form.get('refresh_token'))?.scopes
      if (scopes && !form.has('scope')) form.set('scope', scopes.join(' '))
    }),
  }),
  fault({
    id: 'token/refresh-old-alive',
    breaks: ['TOK-44'],
    places: ['use=first'],
    title: 'Takes the old refresh token after it gave a new one',
    records: [{ model: 'RefreshToken', ignores: ['consume'] }],
  }),
  fault({
    id: 'token/refresh-refused-discards',
    breaks: ['TOK-45'],
    places: ['use=first'],
    title: 'Discards the refresh token when a refresh is refused for its scope',
    collateral: {
      'token/refresh-widened': 'the refreshes after the first are refused for the token',
    },
    memory: () => ({ issued: new TokenMemory(), dead: new Latest<true>(10_000) }),
    response: { [route]: (response, bank, { issued }) => listen(response, bank, issued) },
    request: refresh((form, { issued, dead }: { issued: TokenMemory; dead: Latest<true> }) => {
      const token = String(form.get('refresh_token'))
      const has = issued.of(token)?.scopes
      if (dead.has(token)) form.set('refresh_token', 'discarded')
      else if (
        has &&
        form
          .get('scope')
          ?.split(' ')
          .some((scope) => !has.includes(scope))
      )
        dead.set(token, true)
    }),
  }),
  fault({
    id: 'token/refresh-refused-discards-refreshed',
    breaks: ['TOK-45'],
    places: ['use=second-refresh'],
    title: 'Discards a refresh token that came of a refresh when one is refused for its scope',
    memory: () => ({ issued: new TokenMemory(), dead: new Latest<true>(10_000) }),
    response: {
      [route](response, bank, { issued, dead }) {
        const token = bank.form.get('refresh_token')
        const { error } = (response.body ?? {}) as Record<string, unknown>
        if (error === 'invalid_scope' && issued.of(token)?.grant === 'refresh_token') dead.set(String(token), true)
        return listen(response, bank, issued)
      },
    },
    records: [
      {
        model: 'RefreshToken',
        found: (record, _bank, { dead }) => (dead.has(String(record.jti)) ? undefined : record),
      },
    ],
  }),
]

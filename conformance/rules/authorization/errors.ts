import { isDeepStrictEqual } from 'node:util'
import type { ReadingName } from '../../../schemas/editions/index.js'
import type { AuthorizationRequest, Parameters } from '../../bank/authorization.js'
import { errorOf } from '../../bank/authorization-answer.js'
import type { Bank } from '../../bank/bank.js'
import { format } from '../../harness/expect.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'

/** An answer that the specification gives to a broken request, and the reading of an ambiguity that it shows. */
interface Answer {
  to: 'direct' | 'redirect'
  code: string
  reading?: ReadingName
}

/** 400 without a redirect. */
const direct = (code: string, reading?: Answer['reading']): Answer => ({
  to: 'direct',
  code,
  ...(reading && { reading }),
})
/** 302 to the redirect URI. */
const redirect = (code: string, reading?: Answer['reading']): Answer => ({
  to: 'redirect',
  code,
  ...(reading && { reading }),
})

/** One row of "Effect of authorization request parameters on errors": a parameter, the ways to break it, the answers allowed. */
interface Row {
  slug: string
  requirement: string
  title: string
  /** By what is wrong, the parameters that take the place of good ones; undefined leaves one out. */
  broken: Record<string, Parameters | ((good: AuthorizationRequest, bank: Bank) => Parameters | Promise<Parameters>)>
  answers: readonly Answer[]
}

const uri = ({ client }: AuthorizationRequest) => new URL(client.redirectUri)

function moved(change: (uri: URL) => void) {
  return (good: AuthorizationRequest): Parameters => {
    const target = uri(good)
    change(target)
    return { redirect_uri: target.href }
  }
}

const rows: readonly Row[] = [
  {
    slug: 'client-id-missing',
    requirement: 'AUTH-4',
    title: 'A request without client_id is invalid_request',
    broken: { 'no client_id': { client_id: undefined } },
    answers: [direct('invalid_request', ['AMB-1', 'page']), redirect('invalid_request', ['AMB-1', 'redirect'])],
  },
  {
    slug: 'client-id-unknown',
    requirement: 'AUTH-5',
    title: 'A request of an unknown client_id is unauthorized_client',
    broken: { 'an unknown client_id': { client_id: '00000000-0000-4000-8000-000000000000' } },
    answers: [
      direct('unauthorized_client', ['AMB-2', 'page']),
      redirect('unauthorized_client', ['AMB-2', 'redirect']),
      direct('not_found', ['AMB-2', 'not-found']),
      redirect('not_found', ['AMB-2', 'not-found']),
    ],
  },
  {
    slug: 'redirect-uri-missing',
    requirement: 'AUTH-2',
    title: 'A request without redirect_uri is 400 invalid_request without a redirect',
    broken: { 'no redirect_uri': { redirect_uri: undefined } },
    answers: [direct('invalid_request')],
  },
  {
    slug: 'redirect-uri-not-registered',
    requirement: 'AUTH-3',
    title: 'A redirect_uri that does not equal a registered one is refused, and nothing is redirected to it',
    broken: {
      'another path of redirect_uri': moved((target) => {
        target.pathname += '/elsewhere'
      }),
      'a trailing slash of redirect_uri': moved((target) => {
        target.pathname += '/'
      }),
      'another case of redirect_uri': moved((target) => {
        target.pathname = target.pathname.replace(/[a-z](?=[a-z]*$)/, (letter) => letter.toUpperCase())
      }),
      'another query of redirect_uri': moved((target) => {
        target.searchParams.set('unregistered', '1')
      }),
      'another port of redirect_uri': moved((target) => {
        target.port = target.port === '444' ? '445' : '444'
      }),
      'another host of redirect_uri': { redirect_uri: 'https://unregistered.example.com/callback' },
    },
    answers: [direct('invalid_request', ['AMB-3', 'page']), redirect('invalid_request', ['AMB-3', 'redirect'])],
  },
  {
    slug: 'response-type-missing',
    requirement: 'AUTH-6',
    title: 'A request without response_type is 400 invalid_request without a redirect',
    broken: { 'no response_type': { response_type: undefined } },
    answers: [direct('invalid_request')],
  },
  {
    slug: 'response-type-unsupported',
    requirement: 'AUTH-7',
    title: 'A response_type that is unsupported, or not registered for the client, is unsupported_response_type',
    broken: {
      'an unknown response_type': { response_type: 'conformance' },
      'a response_type that is not registered': async (_good, bank) => {
        const declared = (await bank.discovery()).declared('response_types_supported') ?? []
        return { response_type: declared.find((type) => type !== 'code') ?? 'token' }
      },
    },
    answers: [
      direct('unsupported_response_type', ['AMB-27', 'page']),
      redirect('unsupported_response_type', ['AMB-27', 'redirect']),
    ],
  },
  {
    slug: 'state-missing',
    requirement: 'AUTH-8',
    title: 'A request without state is 302 invalid_request',
    broken: { 'no state': { state: undefined } },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'nonce-missing',
    requirement: 'AUTH-9',
    title: 'A request without nonce is 302 invalid_request',
    broken: { 'no nonce': { nonce: undefined } },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'scope-missing',
    requirement: 'AUTH-10',
    title: 'A request without scope is 302 invalid_request',
    broken: { 'no scope': { scope: undefined } },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'scope-without-openid',
    requirement: 'AUTH-11',
    title: 'A scope without openid is 302 invalid_scope',
    broken: { 'a scope without openid': ({ client }) => ({ scope: client.dataScopes[0] ?? 'profile.name' }) },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'scope-unsupported',
    requirement: 'AUTH-12',
    title: 'A scope that is unsupported, or not registered for the client, is 302 invalid_scope',
    broken: {
      'an unknown scope': { scope: 'openid conformance.unsupported' },
      'a scope that is not registered': async ({ client }, bank) => {
        const declared = (await bank.discovery()).declared('scopes_supported') ?? []
        const registered = String(client.metadata.scope).split(' ')
        const other = declared.find((scope) => !registered.includes(scope))
        return { scope: `openid ${other ?? 'conformance.unregistered'}` }
      },
    },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'display-unsupported',
    requirement: 'AUTH-13',
    title: 'A display outside the OpenID Connect values is 302 invalid_request',
    broken: { 'an unknown display': { display: 'hologram' } },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'prompt-unsupported',
    requirement: 'AUTH-14',
    title: 'A prompt outside the OpenID Connect values, or none beside another, is 302 invalid_request',
    broken: { 'an unknown prompt': { prompt: 'dance' }, 'prompt none beside login': { prompt: 'none login' } },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'acr-values-unsupported',
    requirement: 'AUTH-15',
    title: 'acr_values without a supported value are 302 invalid_request',
    broken: { 'an unknown acr value': { acr_values: 'loa9' }, 'two unknown acr values': { acr_values: 'loa8 loa9' } },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'max-age-invalid',
    requirement: 'AUTH-16',
    title: 'A max_age that is not an integer, or out of range, is 302 invalid_request',
    broken: {
      'a word as max_age': { max_age: 'hour' },
      'a negative max_age': { max_age: '-1' },
      'a fractional max_age': { max_age: '1.5' },
      'a max_age out of range': { max_age: '99999999999999999999' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'response-mode-unsupported',
    requirement: 'AUTH-17',
    title: 'A response_mode that is not supported is 302 invalid_request',
    broken: {
      'an unknown response_mode': { response_mode: 'conformance' },
      'an undeclared response_mode': async (_good, bank) => {
        const declared = (await bank.discovery()).declared('response_modes_supported') ?? ['query']
        const modes = ['form_post', 'fragment', 'web_message']
        return { response_mode: modes.find((mode) => !declared.includes(mode)) ?? 'undeclared' }
      },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'ui-locales-invalid',
    requirement: 'AUTH-18',
    title: 'ui_locales that are not a list of language tags are 302 invalid_request',
    broken: {
      'symbols as ui_locales': { ui_locales: '!!! ???' },
      'digits among ui_locales': { ui_locales: 'cs 1234' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'prompt-none-signed-out',
    requirement: 'AUTH-25',
    title: 'prompt=none without a session is 302 login_required',
    broken: { 'prompt none': { prompt: 'none' } },
    answers: [redirect('login_required')],
  },
  {
    slug: 'registration-parameter',
    requirement: 'AUTH-20',
    title: 'The parameter registration, which is not supported, is 302 registration_not_supported',
    broken: { 'the parameter registration': { registration: '{"client_name":"conformance"}' } },
    answers: [redirect('registration_not_supported')],
  },
]

/** Sends the good request broken in one way, and takes one of the answers allowed. */
async function expectAnswer(
  { bank, expect, reading }: Tools,
  broken: Row['broken'][string],
  answers: readonly Answer[],
): Promise<void> {
  const response = await bank.authorizationRequest.modified({}, async (good) => {
    const changes = typeof broken === 'function' ? await broken(good, bank) : broken
    return { parameters: { ...good.parameters, ...changes } }
  })
  const got = errorOf(response)
  const accepted = answers.find(({ to, code }) => to === got.to && code === got.code)
  const expected = answers.map(({ to, code }) => ({ to, status: to === 'direct' ? 400 : 302, code }))
  expect(got, 'the answer to the request', response).toSatisfy(
    (answer) => expected.some((one) => isDeepStrictEqual(one, answer)),
    expected.map(format).join(' or '),
  )
  if (accepted?.reading) reading(...accepted.reading)
}

/** The table as rules, one for each row. */
export const refusals: readonly Rule[] = rows.map(({ slug, requirement, title, broken, answers }) =>
  rule({
    id: `authorization/${slug}`,
    requirement,
    title,
    needs: toLogIn,
    async check(tools) {
      for (const [how, change] of Object.entries(broken)) {
        await tools.inVariation(`a request with ${how}`, () => expectAnswer(tools, change, answers))
      }
    },
  }),
)

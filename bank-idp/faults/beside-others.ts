import { Latest } from '../latest.js'
import { type Fault, fault } from './fault.js'
import { errorAs } from './redirects.js'

const route = 'GET /auth'

/** Longer than any session: for which no session is too old. */
const forever = '999999999'

/** Faults of a bank that does what it is to do where nothing else is asked for, and not beside it, or in another flow. */
export const besideOtherFaults: readonly Fault[] = [
  fault({
    id: 'authorization/id-token-hint-alone',
    breaks: ['AUTH-28'],
    places: ['acr_values', 'max_age', 'display', 'ui_locales'].map((parameter) => `parameter=${parameter}`),
    title: 'Looks at id_token_hint where a request says nothing else of the login',
    request: {
      [route](parameters) {
        if (['acr_values', 'max_age', 'display', 'ui_locales'].some((name) => parameters.has(name)))
          parameters.delete('id_token_hint')
      },
    },
  }),
  fault({
    id: 'registration/default-max-age-of-plain-requests',
    breaks: ['REG-19'],
    places: [
      ...['prompt', 'id_token_hint', 'acr_values', 'ui_locales'].map((parameter) => `parameter=${parameter}`),
      'grant=implicit',
      'token=request-object',
    ],
    title: 'Applies default_max_age to requests of the code flow that say nothing of the login',
    request: {
      [route](parameters) {
        const besides = ['prompt', 'id_token_hint', 'acr_values', 'ui_locales', 'request_uri']
        const isPlain = parameters.get('response_type') === 'code' && !besides.some((name) => parameters.has(name))
        if (!isPlain && !parameters.has('max_age')) parameters.set('max_age', forever)
      },
    },
  }),
  fault({
    id: 'registration/default-acr-values-of-plain-requests',
    breaks: ['REG-34'],
    places: ['token=request-object', 'parameter=max_age', 'parameter=prompt', 'parameter=ui_locales'],
    title: 'Applies default_acr_values neither beside other parameters nor to a request by request_uri',
    request: {
      [route](parameters) {
        const besides = ['max_age', 'prompt', 'ui_locales', 'request_uri']
        if (besides.some((name) => parameters.has(name)) && !parameters.has('acr_values'))
          parameters.set('acr_values', 'loa2')
      },
    },
  }),
  fault({
    id: 'request-object/max-age-zero-lost',
    breaks: ['AUTH-34'],
    places: ['token=request-object value=lower-bound'],
    title: 'Takes a max_age of 0 in a request object for none',
    judgedObject(object) {
      const { max_age, ...claims } = object.claims
      return max_age === 0 ? { ...object, claims } : object
    },
  }),
  fault({
    id: 'authorization/missing-told-anywhere',
    breaks: ['AUTH-3'],
    places: ['parameter=state value=missing', 'parameter=scope value=missing'],
    title: 'Looks for state and scope before it looks at redirect_uri, and says there that they are missing',
    response: {
      [route](answer, { query, issuer }) {
        const uri = query.get('redirect_uri')
        const name = ['state', 'scope'].find((one) => !query.has(one))
        const { error_description: reason } = (answer.body ?? {}) as Record<string, unknown>
        if (!uri || name === undefined || !String(reason).startsWith('redirect_uri is not registered')) return answer
        const state = query.get('state')
        const told = {
          error: 'invalid_request',
          error_description: `${name} is required`,
          ...(state !== null && { state }),
          iss: issuer,
        }
        const location = `${uri}?${new URLSearchParams(told)}`
        return { status: 302, headers: { 'cache-control': 'no-store', location }, body: '' }
      },
    },
  }),
  fault({
    id: 'registration/default-max-age-not-silently',
    breaks: ['REG-19'],
    places: ['member=none parameter=prompt'],
    title: 'Does not apply default_max_age to requests with prompt=none',
    request: {
      [route](parameters) {
        if (parameters.get('prompt') === 'none' && !parameters.has('max_age')) parameters.set('max_age', forever)
      },
    },
  }),
  ...(
    [
      ['max_age', 'login_required'],
      ['id_token_hint', 'interaction_required'],
    ] as const
  ).map(([parameter, code]) =>
    fault({
      id: `authorization/consent-required-otherwise-beside-${parameter.replaceAll('_', '-')}`,
      breaks: ['AUTH-26'],
      places: [`use=session-login parameter=${parameter}`],
      title: `Answers prompt=none without consent as ${code} beside ${parameter}`,
      response: {
        [route]: (answer, { query }) =>
          query.has(parameter) ? errorAs({ code: 'consent_required' }, { code })(answer) : answer,
      },
    }),
  ),
  fault({
    id: 'authorization/offline-access-silently',
    breaks: ['AUTH-26'],
    places: ['use=session-login scope=offline_access'],
    title: 'Grants offline_access with prompt=none to who consented to anything',
    /** The clients whose last request was one of that kind. */
    memory: () => new Latest<true>(10_000),
    request: {
      [route](parameters, _bank, silent) {
        const clientId = String(parameters.get('client_id'))
        if (parameters.get('prompt') === 'none') silent.set(clientId, true)
        else silent.delete(clientId)
      },
    },
    consented: (approved, { clientId }, silent) =>
      approved.length > 0 && silent.has(clientId) ? [...new Set([...approved, 'offline_access'])] : approved,
  }),
]

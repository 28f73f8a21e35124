import type { SeamResponse } from '../seams.js'
import { body, fault, omit } from './fault.js'

const route = 'POST /register'

/** For `response`: changes the refusals whose description is of a kind. */
function refusals(described: RegExp, change: (response: SeamResponse) => SeamResponse) {
  return (response: SeamResponse): SeamResponse => {
    const { error_description } = response.body as { error_description?: string }
    return response.status === 400 && described.test(String(error_description)) ? change(response) : response
  }
}

const withoutDescription = (response: SeamResponse): SeamResponse => ({
  ...response,
  body: omit(response.body as Record<string, unknown>, 'error_description'),
})

const withoutQuery = (uri: unknown) => (typeof uri === 'string' ? uri.replace(/\?.*/, '') : uri)

const unreadable = /^the body /
const otherType = /must be (a list|true or false|a whole number|a string)/

export const registrationRecordFaults = [
  fault({
    id: 'registration/field-dropped',
    breaks: ['REG-2'],
    places: ['method=POST member=contacts'],
    title: 'Leaves contacts out of the answer',
    response: { [route]: body((record) => omit(record, 'contacts')) },
  }),
  fault({
    id: 'registration/number-as-text',
    breaks: ['REG-2'],
    places: ['method=POST member=default_max_age'],
    title: 'Gives default_max_age back as a string',
    response: { [route]: body((record) => ({ ...record, default_max_age: String(record.default_max_age) })) },
  }),
  fault({
    id: 'registration/scope-as-list',
    breaks: ['REG-2'],
    places: ['method=POST member=scope'],
    title: 'Gives scope back as an array',
    response: { [route]: body((record) => ({ ...record, scope: String(record.scope).split(' ') })) },
  }),
  fault({
    id: 'registration/value-not-held',
    breaks: ['REG-2'],
    places: ['method=POST member=default_max_age'],
    title: 'Gives another default_max_age back than the one that then holds',
    response: { [route]: body((record) => ({ ...record, default_max_age: 86_400 })) },
  }),
  fault({
    id: 'registration/issued-at-in-milliseconds',
    breaks: ['REG-3'],
    places: ['member=client_id_issued_at'],
    title: 'Gives client_id_issued_at in milliseconds',
    response: {
      [route]: body((record) => ({ ...record, client_id_issued_at: Number(record.client_id_issued_at) * 1000 })),
    },
  }),
  fault({
    id: 'registration/secret-expired',
    breaks: ['REG-3'],
    places: ['member=client_secret_expires_at'],
    title: 'Says of a new client_secret that it expired yesterday',
    response: {
      [route]: body((record) => ({
        ...record,
        client_secret_expires_at: Number(record.client_id_issued_at) - 86_400,
      })),
    },
  }),
  fault({
    id: 'registration/client-uri-elsewhere',
    breaks: ['REG-3'],
    places: ['member=registration_client_uri'],
    title: 'Gives a registration_client_uri that is not below /register',
    response: {
      [route]: body((record, { issuer }) => ({
        ...record,
        registration_client_uri: `${issuer}/clients/${record.client_id}`,
      })),
    },
  }),
  fault({
    id: 'registration/unreadable-body-without-description',
    breaks: ['REG-14'],
    places: ['method=POST'],
    title: 'Refuses a body that is not a JSON object without error_description',
    response: { [route]: refusals(unreadable, withoutDescription) },
  }),
  fault({
    id: 'registration/unreadable-put-without-description',
    breaks: ['REG-14'],
    places: ['method=PUT'],
    title: 'Refuses a body of PUT that is not a JSON object without error_description',
    response: { 'PUT /register/{client_id}': refusals(unreadable, withoutDescription) },
  }),
  fault({
    id: 'registration/unreadable-body-unprocessable',
    breaks: ['REG-14'],
    places: ['method=POST'],
    title: 'Refuses a body that is not a JSON object with 422',
    response: { [route]: refusals(unreadable, (response) => ({ ...response, status: 422 })) },
  }),
  fault({
    id: 'registration/wrong-type-without-description',
    breaks: ['REG-30'],
    places: ['method=POST member=client_name'],
    title: 'Refuses a field of the wrong type without error_description',
    response: { [route]: refusals(otherType, withoutDescription) },
  }),
  fault({
    id: 'registration/wrong-type-unprocessable',
    breaks: ['REG-30'],
    places: ['method=POST member=client_name'],
    title: 'Refuses a field of the wrong type with 422',
    response: { [route]: refusals(otherType, (response) => ({ ...response, status: 422 })) },
  }),
  fault({
    id: 'registration/any-algorithm',
    breaks: ['REG-15', 'DISC-13'],
    places: [
      'method=POST member=id_token_signed_response_alg',
      'endpoint=register member=id_token',
      'endpoint=register member=userinfo',
      'endpoint=register member=profile',
      'endpoint=register member=request_object',
      'endpoint=register member=token_endpoint_auth_signing_alg',
    ],
    title: 'Takes algorithms that discovery does not declare',
    without: ['registration/declared-algorithms', 'registration/auth-signing-alg'],
  }),
  fault({
    id: 'registration/any-authentication',
    breaks: ['REG-15', 'DISC-22'],
    places: ['method=POST member=token_endpoint_auth_method', 'endpoint=register'],
    title: 'Takes an authentication method that discovery does not declare',
    without: ['registration/declared-authentication'],
  }),
  fault({
    id: 'registration/any-flow',
    breaks: ['REG-15', 'DISC-23'],
    places: ['method=POST member=response_types', 'endpoint=register'],
    title: 'Takes response types and grants that discovery does not declare',
    without: ['registration/declared-flows'],
  }),
  fault({
    id: 'registration/any-value',
    breaks: ['REG-15'],
    places: ['method=POST member=subject_type'],
    title: 'Takes a subject type and acr values that discovery does not declare',
    without: ['registration/declared-values'],
  }),
  fault({
    id: 'registration/any-scope',
    breaks: ['REG-15'],
    places: ['method=POST member=scope'],
    title: 'Takes a scope that discovery does not declare',
    without: ['registration/scope'],
  }),
  fault({
    id: 'registration/required-scope-unchecked',
    breaks: ['REG-16'],
    places: ['method=POST value=wrong'],
    title: 'Takes a required_scope that is not in scope',
    without: ['registration/required-scope'],
  }),
  fault({
    id: 'registration/enc-without-alg-taken',
    breaks: ['REG-17'],
    places: ['method=POST member=id_token_encrypted_response_enc'],
    title: 'Takes an encrypted response enc without its alg, and gives it back',
    without: ['registration/enc-without-alg'],
  }),
  fault({
    id: 'registration/query-dropped',
    breaks: ['REG-2'],
    places: ['POST', 'PUT', 'GET'].flatMap((method) =>
      ['redirect_uris', 'tos_uri'].map((member) => `method=${method} member=${member} value=encoded`),
    ),
    title:
      'Leaves the query out of redirect URIs and of the address of the terms of service in the records that it answers',
    answeredRecord: {
      redirect_uris: (uris) => (Array.isArray(uris) ? uris.map(withoutQuery) : uris),
      tos_uri: withoutQuery,
    },
  }),
  fault({
    id: 'registration/redirect-uris-normalized',
    breaks: ['REG-2'],
    places: ['POST', 'PUT', 'GET'].map((method) => `method=${method} member=redirect_uris value=equivalent`),
    title: 'Writes signs of redirect URIs that need no encoding without one in the records that it answers',
    answeredRecord: {
      redirect_uris: (uris) => (Array.isArray(uris) ? uris.map((uri) => String(uri).replaceAll('%7E', '~')) : uris),
    },
  }),
  fault({
    id: 'registration/negative-default-max-age',
    breaks: ['REG-30'],
    places: ['POST', 'PUT'].map((method) => `method=${method} member=default_max_age value=below`),
    title: 'Takes a negative default_max_age, for none',
    judgedRecord: { default_max_age: (seconds) => (Number(seconds) < 0 ? undefined : seconds) },
    keptRecord: { default_max_age: (seconds) => (Number(seconds) < 0 ? undefined : seconds) },
  }),
]

import type { SeamResponse } from '../seams.js'
import { body, fault, omit } from './fault.js'

const route = 'POST /register'

function asText(response: SeamResponse): SeamResponse {
  return { ...response, headers: { ...response.headers, 'content-type': 'text/plain' } }
}

/** Another status of success than the right one. */
function answeredWith(status: number) {
  return (response: SeamResponse): SeamResponse => (response.status < 300 ? { ...response, status } : response)
}

export const registrationFaults = [
  fault({
    id: 'registration/no-registration-token',
    breaks: ['REG-1'],
    places: ['member=registration_access_token'],
    title: 'Leaves registration_access_token out of the answer',
    response: { [route]: body((record) => omit(record, 'registration_access_token')) },
  }),
  fault({
    id: 'registration/no-issued-at',
    breaks: ['REG-1'],
    places: ['member=client_id_issued_at'],
    title: 'Leaves client_id_issued_at out of the answer',
    response: { [route]: body((record) => omit(record, 'client_id_issued_at')) },
  }),
  fault({
    id: 'registration/accepted',
    breaks: ['REG-1'],
    places: ['value=superset'],
    title: 'Answers a registration with 202',
    response: { [route]: answeredWith(202) },
  }),
  fault({
    id: 'registration/response-types-required',
    breaks: ['REG-1'],
    places: ['member=response_types value=missing'],
    title: 'Takes no record without response_types',
    judgedRecord: { response_types: (types) => types ?? [] },
  }),
  fault({
    id: 'registration/announced-as-text',
    breaks: ['REG-1', 'REG-10'],
    places: ['value=superset', 'value=subset', 'use=second-client'],
    title: 'Announces records as text/plain',
    response: { [route]: asText, 'GET /register/{client_id}': asText },
  }),
  fault({
    id: 'registration/put-created',
    breaks: ['REG-11'],
    places: ['member=client_name'],
    title: 'Answers a PUT with 201',
    response: { 'PUT /register/{client_id}': answeredWith(201) },
  }),
  fault({
    id: 'registration/delete-accepted',
    breaks: ['REG-12'],
    places: ['endpoint=register'],
    title: 'Answers a DELETE with 202',
    response: { 'DELETE /register/{client_id}': answeredWith(202) },
  }),
  fault({
    id: 'registration/record-missing',
    breaks: ['REG-1', 'REG-2'],
    places: ['member=redirect_uris', 'member=client_name', 'member=jwks_uri', 'member=scope'],
    title: 'Answers a registration with the issued members alone, without the record',
    response: {
      [route]: body(
        ({ client_id, client_secret, registration_access_token, registration_client_uri, client_id_issued_at }) => ({
          client_id,
          client_secret,
          registration_access_token,
          registration_client_uri,
          client_id_issued_at,
        }),
      ),
    },
  }),
  fault({
    id: 'registration/http-redirect-taken',
    breaks: ['REG-4'],
    places: ['method=POST value=wrong'],
    title: 'Takes a redirect URI that is not https',
    without: ['registration/redirect-uri-https'],
  }),
  fault({
    id: 'registration/redirect-uri-of-any-host',
    breaks: ['REG-4'],
    places: ['method=POST member=host', 'method=PUT member=host'],
    title: 'Takes a redirect URI whose host is no host name',
    without: ['registration/redirect-uri-host'],
  }),
  fault({
    id: 'registration/http-redirect-other-code',
    breaks: ['REG-4'],
    places: ['method=POST value=wrong'],
    title: 'Refuses a redirect URI that is not https with invalid_client_metadata',
    response: {
      [route]: (response) => {
        const refusal = response.body as { error?: string }
        return refusal.error === 'invalid_redirect_uri'
          ? { ...response, body: { ...refusal, error: 'invalid_client_metadata' } }
          : response
      },
    },
  }),
]

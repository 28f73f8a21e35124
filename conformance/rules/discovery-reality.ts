import { rule } from '../harness/rule.js'

/** How an endpoint that is there answers a call that nobody is authenticated for, or that asks for nothing. */
interface Probe {
  method: 'GET' | 'POST'
  statuses: readonly number[]
  mediaTypes?: readonly string[]
}

const json = ['application/json']
const asksForClient: Probe = { method: 'POST', statuses: [400, 401], mediaTypes: json }
const asksForToken: Probe = { method: 'GET', statuses: [400, 401, 403] }
const page: Probe = { method: 'GET', statuses: [200, 301, 302, 303, 307, 308] }

const probes: Record<string, Probe> = {
  authorization_endpoint: { method: 'GET', statuses: [302, 400] },
  token_endpoint: asksForClient,
  introspection_endpoint: asksForClient,
  revocation_endpoint: { ...asksForClient, statuses: [200, 400, 401] },
  device_authorization_endpoint: asksForClient,
  userinfo_endpoint: asksForToken,
  profile_endpoint: asksForToken,
  end_session_endpoint: { method: 'GET', statuses: [200, 302, 303, 400] },
  jwks_uri: { method: 'GET', statuses: [200], mediaTypes: ['application/json', 'application/jwk-set+json'] },
  service_documentation: page,
  op_policy_uri: page,
  op_tos_uri: page,
}

export const endpoints = rule({
  id: 'discovery/endpoints-answer',
  requirement: 'DISC-12',
  title: 'Each declared endpoint answers as what it is declared to be',
  async check({ bank, expect }) {
    const discovery = await bank.discovery()
    for (const [member, { method, statuses, mediaTypes }] of Object.entries(probes)) {
      if (discovery.value(member) === undefined) continue
      const url = await discovery.endpoint(member)
      const response = await bank.send({
        method,
        url,
        headers: { ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }) },
        ...(method === 'POST' && { body: '' }),
      })
      expect(response).toHaveStatus(...statuses)
      if (mediaTypes && response.text !== '') expect(response).toHaveMediaType(...mediaTypes)
      if (member === 'jwks_uri') expect(response.member('keys'), 'keys at jwks_uri', response).toBeFilledArray()
    }
  },
})

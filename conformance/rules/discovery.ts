import { rule } from '../harness/rule.js'

export const document = rule({
  id: 'discovery/document',
  requirement: 'DISC-1',
  title: 'The discovery document is served as JSON without authentication',
  async check({ bank, expect }) {
    const response = await bank.discoveryResponse()
    expect(response).toHaveStatus(200)
    expect(response).toHaveMediaType('application/json')
    const found = expect(response.json, 'the discovery document', response).toBeObject()
    for (const member of ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      expect(found[member], `${member} of the discovery document`, response).toBeText()
    }
  },
})

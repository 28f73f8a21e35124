import { bankForFile } from '../testing/banks.js'

const { bank, service, client } = await bankForFile({ readings: { 'AMB-32': 'forbidden' } })

async function refusal(endpoint: string, token: string) {
  const answer = await service.http('get', endpoint).set('authorization', `Bearer ${token}`)
  return [answer.status, answer.body.error, answer.body.error_description]
}

const expired = [403, 'invalid_token', 'the access token has expired']
const unknown = [401, 'invalid_token', 'the access token is unknown']

test.each(['/userinfo', '/profile'])(
  'DATA-20, AMB-32 forbidden: at %s an expired access token is told from an unknown and a revoked one, for a month',
  async (endpoint) => {
    const { body: kept } = await service.login(client, 'openid')
    const { body: revoked } = await service.login(client, 'openid')
    expect((await service.post(client, '/revoke', { token: revoked.access_token })).status).toBe(200)
    await bank.clock.advance(3590)
    expect((await service.http('get', endpoint).set('authorization', `Bearer ${kept.access_token}`)).status).toBe(200)
    await bank.clock.advance(20)
    expect(await refusal(endpoint, kept.access_token)).toEqual(expired)
    expect(await refusal(endpoint, revoked.access_token)).toEqual(unknown)
    expect(await refusal(endpoint, `${kept.access_token}x`)).toEqual(unknown)
    expect((await service.post(client, '/token-info', { token: kept.access_token })).body).toEqual({ active: false })
    await bank.clock.advance('29d')
    expect(await refusal(endpoint, kept.access_token)).toEqual(expired)
    await bank.clock.advance('2d')
    expect(await refusal(endpoint, kept.access_token)).toEqual(unknown)
  },
)

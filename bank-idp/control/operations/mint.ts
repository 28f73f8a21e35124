import { nowSeconds } from '../../clock.js'
import { BankError } from '../../errors.js'
import { lifetimesOf } from '../../lifetimes.js'
import { parseSpaceDelimited } from '../../parse-space-delimited.js'
import type { Operation } from '../operation.js'
import type { MintedTokens, MintInput } from '../operation-data.js'
import { unknownClient } from '../unknown-client.js'
import { personOf } from './people.js'

const text = { type: 'string' }

/** No token lives longer, in seconds: a year. */
const longest = 31_536_000

export const mint: Operation<MintInput, MintedTokens> = {
  id: 'mintTokens',
  method: 'post',
  path: '/tokens',
  summary: 'Issues tokens without a login: the bank knows them as its own at every endpoint. There is no id_token.',
  input: {
    required: ['client_id', 'login'],
    properties: {
      client_id: text,
      login: { ...text, description: 'Login name of the person.' },
      scope: { ...text, description: 'Space-delimited; default: openid.' },
      expires_in: {
        type: 'integer',
        minimum: -longest,
        maximum: longest,
        description: 'Seconds; less than 0: the access token expired so long ago.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in', 'scope'],
    properties: {
      access_token: text,
      refresh_token: { ...text, description: 'There where the scope has offline_access.' },
      token_type: { const: 'Bearer' },
      expires_in: { type: 'integer' },
      scope: text,
    },
  },
  example: {
    input: { client_id: '0b6c1d2e', login: 'jana', scope: 'openid profile.name', expires_in: -60 },
    output: { access_token: 'a-token', token_type: 'Bearer', expires_in: -60, scope: 'openid profile.name' },
  },
  async run(bench, { client_id, login, scope = 'openid', expires_in }) {
    const { clients, config, provider } = bench.context
    if (!config.bench) throw new BankError('invalid_request', 'this bank is no bench: it mints no tokens')
    const person = personOf(bench, login)
    const [client, known] = [await provider.Client.find(client_id), await clients.find(client_id)]
    if (!client || !known) throw await unknownClient(bench, client_id)
    const registered = parseSpaceDelimited(known.record.scope)
    const unknown = parseSpaceDelimited(scope).find((one) => !registered.includes(one))
    if (unknown !== undefined) {
      throw new BankError(
        'invalid_scope',
        `the client did not register the scope ${unknown}: it has ${registered.join(' ')}`,
      )
    }
    const lifetimes = lifetimesOf(bench.context, client_id)
    const expiresIn = expires_in ?? lifetimes.AccessToken
    const grant = new provider.Grant({ accountId: person.id, clientId: client_id })
    grant.addOIDCScope(scope)
    // What the tokens rest on outlives them.
    Object.assign(grant, {
      exp: nowSeconds() + Math.max(expiresIn, 0) + lifetimes.AccessToken + lifetimes.RefreshToken,
    })
    const grantId = await grant.save()
    const base = { accountId: person.id, client, grantId, gty: 'authorization_code', scope }
    const exp = nowSeconds() + expiresIn
    const iat = Math.min(nowSeconds(), exp - lifetimes.AccessToken)
    const access_token = await new provider.AccessToken({ ...base, iat, exp }).save()
    const offline = parseSpaceDelimited(scope).includes('offline_access')
    const refreshed = { ...base, iat: nowSeconds(), exp: nowSeconds() + lifetimes.RefreshToken }
    return {
      access_token,
      ...(offline && { refresh_token: await new provider.RefreshToken(refreshed).save() }),
      token_type: 'Bearer',
      expires_in: expiresIn,
      scope,
    }
  },
}

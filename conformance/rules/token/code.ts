import { codeOf, parameterOf, verifierOf } from '../../bank/authorization.js'
import { anotherClient } from '../../bank/client-metadata.js'
import { dressNow, inLeastDress } from '../../bank/dress.js'
import type { Replace } from '../../bank/operation.js'
import type { CodeExchange } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { expectRefusal } from '../support/client-refusals.js'
import { expectDroppedGrantRefused } from '../support/dropped-grant.js'
import { oddQuery } from '../support/odd-query.js'
import { otherClients } from '../support/other-clients.js'
import { lookalikesOf } from '../support/unknown-tokens.js'

export const codeOfAnother = rule({
  id: 'token/code-of-another',
  requirement: 'TOK-13',
  places: ['grant=code', 'client-auth=client_secret_post grant=code'],
  title: 'A code used by another client is refused, however that one authenticates',
  needs: toLogIn,
  async check(tools) {
    const exchanges = Object.fromEntries(
      Object.entries(await otherClients(tools)).map(([who, client]): [string, Replace<CodeExchange>] => [
        who,
        () => ({ client }),
      ]),
    )
    await refuseEach(tools, exchanges, (refusal) => expectRefusal(tools.expect, refusal, 400, 'invalid_grant'))
  },
})

export const codeOfSameAddress = rule({
  id: 'token/code-of-another-at-one-address',
  requirement: 'TOK-13',
  places: ['grant=code member=redirect_uris'],
  title: 'A code used by another client that registered the same redirect URI is refused',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect }) {
    const { redirectUri } = await bank.client()
    const other = await bank.client({ ...anotherClient, redirect_uris: [redirectUri] })
    const refusal = await bank.token.modified({}, () => ({ client: other }))
    expectRefusal(expect, refusal, 400, 'invalid_grant')
  },
})

export const codeOfSameSector = rule({
  id: 'token/code-of-another-of-sector',
  requirement: 'TOK-13',
  places: ['grant=code member=sector_identifier_uri'],
  title:
    'A code used by another client of the same sector_identifier_uri, which knows the person by the same sub, is refused',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect }) {
    const { redirectUri } = await bank.client()
    const sector_identifier_uri = await bank.sectorDocument([redirectUri])
    const ofSector = { redirect_uris: [redirectUri], sector_identifier_uri }
    const other = await bank.client({ ...anotherClient, ...ofSector })
    const clientMetadata = { client_name: 'Conformance codes of a sector', ...ofSector }
    const refusal = await bank.token.modified({ clientMetadata }, () => ({ client: other }))
    expectRefusal(expect, refusal, 400, 'invalid_grant')
  },
})

/** Steps of a code's exchange that are replaced, by what that makes of it. */
type Exchanges = Readonly<Record<string, Replace<CodeExchange>>>

/**
 * Sends bad exchanges of one code, each of which is to be refused. A bank that takes the code back at the first of them refuses the others
 * for that: then each is sent with a code of its own.
 */
async function refuseEach(
  { bank, inVariation }: Tools,
  exchanges: Exchanges,
  look: (refusal: HttpResponse, what: string) => void,
): Promise<void> {
  const exchange = await bank.token.variations()
  for (const [what, replace] of Object.entries(exchanges)) {
    await inVariation(what, async () => look(await exchange(replace), what))
  }
  // In the least dress no code is spent on those behind the first.
  if (inLeastDress() || (await exchange()).status < 300) return
  for (const [what, replace] of Object.entries(exchanges)) {
    await inVariation(`${what}, with a code of its own`, async () => look(await bank.token.modified({}, replace), what))
  }
}

/** Exchanges with a changed redirect_uri, which is undefined where it is left out. */
function withRedirectUri(changes: Readonly<Record<string, (uri: string) => string | undefined>>): Exchanges {
  return Object.fromEntries(
    Object.entries(changes).map(([what, change]): [string, Replace<CodeExchange>] => [
      what,
      ({ form }) => ({ form: { ...form, redirect_uri: change(String(form.redirect_uri)) } }),
    ]),
  )
}

/** The path in upper case; where it has no letters, the scheme. */
function inOtherCase(uri: string): string {
  const { pathname } = new URL(uri)
  const part = /[a-z]/.test(pathname) ? pathname : 'https'
  return uri.replace(part, part.toUpperCase())
}

function withOtherPort(uri: string): string {
  const { host, hostname, port } = new URL(uri)
  return uri.replace(host, `${hostname}:${port === '8443' ? '9443' : '8443'}`)
}

export const redirectUri = rule({
  id: 'token/redirect-uri',
  requirement: 'TOK-36',
  places: [
    ...['wrong', 'missing', 'empty', 'superset', 'prefix', 'upper-case', 'encoded', 'equivalent', 'suffix'].map(
      (value) => `value=${value}`,
    ),
    'parameter=query',
    'parameter=fragment',
    'parameter=port',
    'parameter=scheme',
  ],
  title: 'A code with another redirect_uri, or none, is refused',
  needs: toLogIn,
  async check(tools) {
    const exchanges = withRedirectUri({
      'another path': (uri) => `${uri}/other`,
      'another host': (uri) => uri.replace(new URL(uri).host, 'elsewhere.example'),
      'another port': withOtherPort,
      'http in place of https': (uri) => uri.replace(/^https:/, 'http:'),
      'the beginning of the path': (uri) => uri.slice(0, -1),
      'a query': (uri) => `${uri}${uri.includes('?') ? '&' : '?'}other=1`,
      'a fragment': (uri) => `${uri}#other`,
      'a slash at its end': (uri) => `${uri}/`,
      'the scheme in capitals': (uri) => uri.replace(/^https?/, (scheme) => scheme.toUpperCase()),
      'another case': inOtherCase,
      'a segment that comes to nothing': (uri) => uri.replace(/^(https?:\/\/[^/?#]+)\/?/i, '$1/./'),
      'an encoded letter': (uri) =>
        `${uri.slice(0, -1)}%${uri.slice(-1).charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
      'an empty redirect_uri': () => '',
      'no redirect_uri': () => undefined,
    })
    await refuseEach(tools, exchanges, (refusal) =>
      expectRefusal(tools.expect, refusal, 400, 'invalid_grant', 'invalid_request'),
    )
  },
})

export const queriedRedirectUri = rule({
  id: 'token/redirect-uri-with-query',
  requirement: 'TOK-1',
  places: ['grant=code member=query'],
  title: 'A code that came to a redirect URI with a query is redeemed with the same redirect_uri',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect }) {
    const { redirectUri: registered } = await bank.client()
    const clientMetadata = { redirect_uris: [`${registered}?${oddQuery}`] }
    const authorization = await bank.authorization.fresh({ clientMetadata })
    const response = await bank.exchangeCode(
      authorization.client,
      await codeOf(authorization),
      verifierOf(authorization),
    )
    expect(response).toHaveStatus(200)
    expect(response.member('access_token'), 'access_token', response).toBeText()
  },
})

export const secondRedirectUri = rule({
  id: 'token/redirect-uri-of-another-request',
  requirement: 'TOK-36',
  places: ['value=second', 'use=session-login value=second'],
  title: 'A code with another redirect_uri that the client registered is refused, also one of a login by session',
  needs: [...toLogIn, ...toRegister, 'redirect'],
  async check({ bank, expect }) {
    // Nobody has to be there, since no redirect to them is followed.
    const redirect_uris = ['https://two.callbacks.example/first', 'https://two.callbacks.example/second']
    const session = bank.session({ clientMetadata: { client_name: 'A client of two callbacks', redirect_uris } })
    await session.signIn()
    const authorization = await session.ask({})
    const refusal = await bank.token.try({ authorization }, ({ form }) => ({
      form: { ...form, redirect_uri: redirect_uris[1] },
    }))
    expectRefusal(expect, refusal, 400, 'invalid_grant', 'invalid_request')
  },
})

export const unregisteredGrant = rule({
  id: 'token/unregistered-grant',
  requirement: 'TOK-28',
  places: ['grant=refresh'],
  title: 'A grant that the client has not registered is refused with unauthorized_client',
  needs: toLogIn,
  async check(tools) {
    const { bank, service, expect, note, skip } = tools
    const discovery = await bank.discovery()
    if (!discovery.declared('grant_types_supported')?.includes('refresh_token')) {
      return skip('the bank declares no grant but authorization_code')
    }
    const client = await bank.client({ grant_types: ['authorization_code'] })
    const refusal = await bank.token.modified({}, ({ form }) => ({
      client,
      // By either name (AMB-4): a parameter that is missing may be seen first.
      form: { ...form, grant_type: 'refresh_token', code: 'a-token-of-nobody', refresh_token: 'a-token-of-nobody' },
    }))
    if (refusal.member('error') === 'unsupported_grant_type') note('the bank calls the grant unsupported')
    // A bank that looks for the token first has not come to the grant: a token that there is shows what it makes of that.
    if (refusal.member('error') === 'invalid_grant' && service.signer && service.server) {
      note('the bank looks for the refresh token before it looks whether the grant is registered')
      expect(refusal).toHaveStatus(400)
      return expectDroppedGrantRefused(tools, 'Conformance with a grant that it has no longer')
    }
    expectRefusal(expect, refusal, 400, 'unauthorized_client', 'unsupported_grant_type')
  },
})

/** Grants that OAuth has (RFC 6749 section 4, RFC 7523), and the specification has not. */
const grantsOfOthers = {
  'password, which the bank does not declare': 'password',
  'client_credentials, which the bank does not declare': 'client_credentials',
  'jwt-bearer, which the bank does not declare': 'urn:ietf:params:oauth:grant-type:jwt-bearer',
}

export const unknownGrant = rule({
  id: 'token/unknown-grant',
  requirement: 'TOK-40',
  places: ['unknown', 'wrong', 'upper-case', 'prefix', 'superset'].map((value) => `value=${value}`),
  title: 'An unknown grant_type is refused with unsupported_grant_type',
  needs: toLogIn,
  async check(tools) {
    const grants = {
      'a grant that nobody has': 'divination',
      'authorization_code in upper case': 'AUTHORIZATION_CODE',
      'the beginning of authorization_code': 'authorization',
      'authorization_code and more': 'authorization_code2',
      ...grantsOfOthers,
    }
    const declared = (await tools.bank.discovery()).declared('grant_types_supported') ?? []
    const exchanges = Object.fromEntries(
      Object.entries(grants)
        .filter(([, grant_type]) => !declared.includes(grant_type))
        .map(([what, grant_type]): [string, Replace<CodeExchange>] => [
          what,
          ({ form }) => ({ form: { ...form, grant_type } }),
        ]),
    )
    await refuseEach(tools, exchanges, (refusal, what) => {
      // Known to the bank for other clients than this one, they are refused to it (RFC 6749 section 5.2).
      const codes = what in grantsOfOthers ? ['unauthorized_client'] : []
      expectRefusal(tools.expect, refusal, 400, 'unsupported_grant_type', ...codes)
    })
  },
})

export const missingParameter = rule({
  id: 'token/missing-parameter',
  requirement: 'TOK-41',
  places: ['grant=code parameter=grant_type', 'grant=code parameter=code'],
  title: 'A missing parameter is refused with invalid_request',
  needs: toLogIn,
  async check(tools) {
    const exchanges = Object.fromEntries(
      ['grant_type', 'code'].map((name): [string, Replace<CodeExchange>] => [
        `no ${name}`,
        ({ form }) => ({ form: { ...form, [name]: undefined } }),
      ]),
    )
    await refuseEach(tools, exchanges, (refusal) => expectRefusal(tools.expect, refusal, 400, 'invalid_request'))
  },
})

const credentialsTwice = 'the credentials twice'

export const emptyParameter = rule({
  id: 'token/empty-parameter',
  requirement: 'TOK-41',
  places: [
    'grant=code value=empty',
    'grant=code value=repeated',
    ...['redirect_uri', 'credentials'].map((parameter) => `grant=code parameter=${parameter} value=repeated`),
  ],
  title: 'An empty parameter is refused as one that is missing, and so is one that is sent twice',
  needs: toLogIn,
  // That an empty parameter counts as missing, and that none comes twice, is RFC 6749's (section 3.2), so that a bank is warned.
  async check(tools) {
    const { expect, warn } = tools
    const names = ['grant_type', 'code']
    const exchanges = [
      ...names.map((name): [string, Replace<CodeExchange>] => [
        `an empty ${name}`,
        ({ form }) => ({ form: { ...form, [name]: '' } }),
      ]),
      ...[...names, 'redirect_uri'].map((name): [string, Replace<CodeExchange>] => [
        `${name} twice`,
        () => ({ twice: [name] }),
      ]),
      [credentialsTwice, () => ({ twice: ['client_secret', 'client_assertion'] })] as const,
    ]
    await refuseEach(tools, Object.fromEntries(exchanges), (refusal, what) => {
      if (refusal.status < 300) return warn('a parameter that is sent twice is taken (RFC 6749 section 3.2)')
      // Which of the two proves the client cannot be told, either.
      expect(refusal).toHaveStatus(400, ...(what.startsWith(credentialsTwice) ? [401] : []))
      const error = expect(refusal.member('error'), 'error of the refusal', refusal).toBeText()
      if (error !== 'invalid_request') warn(`the error is ${error}, where invalid_request tells what is wrong`)
    })
  },
})

export const unknownParameter = rule({
  id: 'token/unknown-parameter',
  requirement: 'TOK-46',
  places: ['grant=code'],
  title: 'POST /token ignores a parameter that it does not know, where a code is redeemed',
  needs: toLogIn,
  async check({ bank, expect }) {
    const tokens = await bank.token.modified({}, ({ form }) => ({ form: { ...form, conformance_unknown: 'x' } }))
    expect(tokens).toHaveStatus(200)
    expect(tokens.member('access_token'), 'access_token of the token response', tokens).toBeText()
  },
})

export const refusalForm = rule({
  id: 'token/refusal-form',
  requirement: 'TOK-17',
  places: [
    'grant=code error=invalid_grant',
    ...['long', 'prefix', 'superset', 'upper-case'].map((value) => `grant=code error=invalid_grant value=${value}`),
    'grant=code error=invalid_request',
    'grant=code parameter=content-type',
    'error=invalid_client',
    'error=invalid_client value=unknown',
    'error=unsupported_grant_type',
  ],
  title: 'Refusals are 400 JSON with error and error_description',
  needs: toLogIn,
  async check({ bank, expect, inVariation, reading, warn }) {
    const authorization = await bank.authorization.fresh()
    await bank.token.expectBaseline()
    const exchange = (replace: Replace<CodeExchange>) => bank.token.try({ authorization }, replace)
    // A reader that does not mind case, or how long a code is, takes these for the one that it gave.
    const alike = Object.entries(lookalikesOf(String(parameterOf(authorization, 'code')), 'a code'))
    const changes = {
      'an unknown code': { code: 'a-code-of-nobody' },
      'a code of 2000 characters': { code: 'x'.repeat(2000) },
      ...(dressNow() === undefined && Object.fromEntries(alike.map(([what, code]) => [what, { code }]))),
      'no grant_type': { grant_type: undefined },
      'an unknown grant_type': { grant_type: 'a-grant-of-nobody' },
    }
    for (const [what, change] of Object.entries(changes)) {
      await inVariation(what, async () => {
        const refusal = await exchange(({ form }) => ({ form: { ...form, ...change } }))
        expect(refusal).toHaveStatus(400)
        expect(refusal).toHaveMediaType('application/json')
        expect(refusal.told, 'the refusal', refusal).toFitSchema('error')
      })
    }
    if (dressNow() === undefined) {
      await inVariation('a code of nobody in a body that says it is JSON', async () => {
        const refusal = await exchange(({ form }) => ({
          form: { ...form, code: 'a-code-of-nobody' },
          headers: { 'content-type': 'application/json' },
        }))
        // What a server of HTTP says of a kind of body that it does not read (RFC 9110 section 15.5.16).
        expect(refusal).toHaveStatus(400, 415)
        expect(refusal).toHaveMediaType('application/json')
        expect(refusal.told, 'the refusal', refusal).toFitSchema('error')
        if (refusal.status === 415) warn('a body that is no form is refused with 415 in place of 400')
      })
    }
    const callers: Record<string, Replace<CodeExchange>> = {
      'no client authentication': () => ({ authentication: 'none' }),
      'a client that nobody registered': ({ client }) => ({ client: { ...client, clientId: 'a-client-of-nobody' } }),
    }
    for (const [what, replace] of Object.entries(callers)) {
      await inVariation(what, async () => {
        const refusal = await exchange(replace)
        expect(refusal).toHaveStatus(400, 401)
        expect(refusal).toHaveMediaType('application/json')
        expect(refusal.told, 'the refusal', refusal).toFitSchema('error')
        reading('AMB-29', refusal.status === 400 ? 'bad-request' : 'unauthorized')
      })
    }
  },
})

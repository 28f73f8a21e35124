import type { AuthorizationRequest, Parameters } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { unregisteredAddress } from '../support/unregistered-address.js'
import { longText, ofFrontChannel, ofImplicit } from './broken-parameters.js'
import { type Broken, direct, type Row, redirect } from './error-row.js'

/** Another redirect_uri, made of the registered one as it is written: a URL would be brought into its usual form. */
function rewritten(change: (registered: string) => string): Broken {
  return ({ client }: AuthorizationRequest): Parameters | undefined => {
    const changed = change(client.redirectUri)
    return changed === client.redirectUri ? undefined : { redirect_uri: changed }
  }
}

function moved(change: (uri: URL) => void): Broken {
  return rewritten((registered) => {
    const target = new URL(registered)
    change(target)
    return target.href
  })
}

/** A client_id made of the good one. */
function renamed(change: (clientId: string) => string): Broken {
  return ({ client: { clientId } }) => {
    const changed = change(clientId)
    return changed === clientId ? undefined : { client_id: changed }
  }
}

/** The other case of the first letter that has one. */
function otherCase(text: string): string {
  return text.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

/** A response_type that the client did not register. */
function unregisteredType(type: string): Broken {
  return ({ client: { metadata } }) =>
    [metadata.response_types].flat().includes(type) ? undefined : { response_type: type }
}

export const notRegistered = [
  direct('invalid_request', ['AMB-3', 'page']),
  redirect('invalid_request', ['AMB-3', 'redirect']),
]

const unknownClient = [
  direct('unauthorized_client', ['AMB-2', 'page']),
  redirect('unauthorized_client', ['AMB-2', 'redirect']),
  direct('not_found', ['AMB-2', 'not-found']),
  redirect('not_found', ['AMB-2', 'not-found']),
]

export const unsupportedType = [
  direct('unsupported_response_type', ['AMB-27', 'page']),
  redirect('unsupported_response_type', ['AMB-27', 'redirect']),
]

/** The query of a redirect URI that is registered with one. */
export const registeredQuery = 'from=conformance&to=service'

/** The client of a second redirect URI. */
export async function twoRedirectUris(bank: Bank): Promise<Metadata> {
  const { redirectUri } = await bank.client()
  return { client_name: 'Conformance two redirect URIs', redirect_uris: [redirectUri, `${redirectUri}/second`] }
}

/** The client of a second redirect URI at another host, both of one sector. */
async function twoHosts(bank: Bank): Promise<Metadata> {
  const { redirectUri } = await bank.client()
  const redirect_uris = [redirectUri, 'https://service.example.com/of-the-second-host']
  return {
    client_name: 'Conformance two hosts',
    redirect_uris,
    sector_identifier_uri: await bank.sectorDocument(redirect_uris),
  }
}

/** The client of a second redirect URI that reads as a pattern, where the bank registers one. */
async function withPattern(bank: Bank): Promise<Metadata> {
  const { redirectUri } = await bank.client()
  const client_name = 'Conformance pattern'
  const patterned = { client_name, redirect_uris: [redirectUri, `${redirectUri}/*`] }
  const { response } = await bank.registration(patterned)
  return response.status < 300 ? patterned : { client_name, redirect_uris: [redirectUri] }
}

/** Another redirect_uri, made of the two that are registered. */
function recombined(change: (first: URL, second: URL) => string): Broken {
  return ({ client: { metadata } }) => {
    const [first, second] = [metadata.redirect_uris].flat().map((uri) => new URL(String(uri)))
    return first && second && { redirect_uri: change(first, second) }
  }
}

/** Who asks, where the answer goes, and of what kind it is: what is wrong with them is told before anything else. */
export const identificationRows: readonly Row[] = [
  {
    slug: 'client-id-missing',
    requirement: 'AUTH-4',
    places: ['value=missing', 'value=empty'],
    title: 'A request without client_id is invalid_request',
    broken: { 'no client_id': { client_id: undefined }, 'an empty client_id': { client_id: '' } },
    answers: [direct('invalid_request', ['AMB-1', 'page']), redirect('invalid_request', ['AMB-1', 'redirect'])],
  },
  {
    slug: 'client-id-unknown',
    requirement: 'AUTH-5',
    places: [
      ...['unknown', 'upper-case', 'prefix', 'superset'].map((value) => `value=${value}`),
      'parameter=prompt value=unknown',
      ...['pattern', 'braces', 'hyphens'].map((member) => `member=${member}`),
    ],
    title: 'A request of an unknown client_id is unauthorized_client',
    broken: {
      'an unknown client_id': { client_id: '00000000-0000-4000-8000-000000000000' },
      'a client_id in another case': renamed(otherCase),
      'a client_id cut short': renamed((clientId) => clientId.slice(0, -1)),
      'a client_id with something after it': renamed((clientId) => `${clientId}0`),
      'a pattern as client_id': { client_id: '%' },
      'a client_id without its hyphens': renamed((clientId) => clientId.replaceAll('-', '')),
      'a client_id in braces': renamed((clientId) => `{${clientId}}`),
      'an unknown client_id beside prompt none': { client_id: '00000000-0000-4000-8000-000000000000', prompt: 'none' },
    },
    answers: unknownClient,
  },
  {
    slug: 'client-id-long',
    requirement: 'AUTH-5',
    places: ['value=long'],
    title: 'A request of a client_id that is longer than any is unauthorized_client, or invalid_request',
    broken: { 'a client_id of 330 characters': { client_id: longText } },
    // Where lengths have a bound, the parameter itself is wrong.
    answers: [...unknownClient, direct('invalid_request')],
  },
  {
    slug: 'redirect-uri-missing',
    requirement: 'AUTH-2',
    places: ['value=missing', 'parameter=prompt value=missing'],
    title: 'A request without redirect_uri is 400 invalid_request without a redirect',
    broken: {
      'no redirect_uri': { redirect_uri: undefined },
      'no redirect_uri beside prompt none': { redirect_uri: undefined, prompt: 'none' },
    },
    answers: [direct('invalid_request')],
  },
  {
    slug: 'redirect-uri-empty',
    requirement: 'AUTH-2',
    places: ['value=empty'],
    title: 'A request with an empty redirect_uri is invalid_request, and not one to the registered address',
    broken: { 'an empty redirect_uri': { redirect_uri: '' } },
    // As an address that is not registered (AMB-3), an empty one may be answered at one that is.
    answers: [direct('invalid_request'), redirect('invalid_request')],
  },
  {
    slug: 'redirect-uri-missing-of-several',
    requirement: 'AUTH-2',
    places: ['member=several-registered value=missing'],
    title: 'A request without redirect_uri of a client that registered two is 400 invalid_request without a redirect',
    needs: ['trusted', 'inbound'],
    clientMetadata: twoRedirectUris,
    broken: { 'no redirect_uri': { redirect_uri: undefined } },
    answers: [direct('invalid_request')],
  },
  {
    slug: 'redirect-uri-not-registered',
    requirement: 'AUTH-3',
    places: [
      ...['wrong', 'superset', 'prefix', 'upper-case', 'encoded'].map((value) => `member=path value=${value}`),
      ...['trailing-slash', 'dot-segments', 'fragment', 'port', 'scheme', 'userinfo'].map((part) => `member=${part}`),
      ...['subdomain', 'host-as-user', 'scheme-case', 'double-slash', 'backslash', 'path-parameter'].map(
        (part) => `member=${part}`,
      ),
      ...['space', 'question-mark', 'number-sign', 'encoded-slash', 'campaign', 'contained'].map(
        (part) => `member=${part}`,
      ),
      ...['wrong', 'superset', 'suffix', 'upper-case', 'equivalent'].map((value) => `member=host value=${value}`),
      'member=address',
      'member=trailing-slash parameter=prompt',
      'member=query value=superset',
    ],
    title: 'A redirect_uri that does not equal a registered one is refused, and nothing is redirected to it',
    broken: {
      'another path of redirect_uri': moved((target) => {
        target.pathname = target.pathname.replace(/[^/]*$/, 'elsewhere')
      }),
      'a longer path of redirect_uri': moved((target) => {
        target.pathname += '/elsewhere'
      }),
      'more letters at the end of redirect_uri': moved((target) => {
        target.pathname += 'x'
      }),
      'a redirect_uri cut short': rewritten((registered) => registered.slice(0, -1)),
      'a trailing slash of redirect_uri': moved((target) => {
        target.pathname += '/'
      }),
      'a trailing slash of redirect_uri beside prompt none': ({ client }) => ({
        redirect_uri: `${client.redirectUri}/`,
        prompt: 'none',
      }),
      'another case of redirect_uri': moved((target) => {
        target.pathname = target.pathname.replace(/[a-z](?=[a-z]*$)/, (letter) => letter.toUpperCase())
      }),
      'a letter of redirect_uri percent-encoded': rewritten((registered) =>
        registered.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      ),
      'dot segments in redirect_uri': rewritten((registered) => registered.replace(/\/(?=[^/]*$)/, '/elsewhere/../')),
      'a fragment of redirect_uri': rewritten((registered) => `${registered}#fragment`),
      'another query of redirect_uri': moved((target) => {
        target.searchParams.set('unregistered', '1')
      }),
      'another port of redirect_uri': moved((target) => {
        target.port = target.port === '444' ? '445' : '444'
      }),
      'another scheme of redirect_uri': rewritten((registered) => registered.replace(/^https:/, 'http:')),
      'user information in redirect_uri': moved((target) => {
        target.username = 'somebody'
      }),
      'another host of redirect_uri': moved((target) => {
        target.host = 'unregistered.example.com'
      }),
      'a host of redirect_uri that goes on': moved((target) => {
        target.hostname += '.example.com'
      }),
      'a host of redirect_uri with something before it': moved((target) => {
        target.hostname = `x${target.hostname}`
      }),
      'the host of redirect_uri in capitals': rewritten((registered) =>
        registered.replace(/^https:\/\/[^/:]+/, (start) => `https://${start.slice('https://'.length).toUpperCase()}`),
      ),
      'the host of redirect_uri with a dot at its end': rewritten((registered) =>
        registered.replace(/^https:\/\/[^/:]+/, (start) => `${start}.`),
      ),
      'the address of the host of redirect_uri': rewritten((registered) =>
        registered.replace(/^https:\/\/localhost(?=[:/])/, 'https://127.0.0.1'),
      ),
      'a host below that of redirect_uri': moved((target) => {
        target.hostname = `www.${target.hostname}`
      }),
      'the host of redirect_uri as user of another': rewritten((registered) =>
        registered.replace(/^https:\/\/[^/]+/, (origin) => `${origin}@unregistered.example.com`),
      ),
      'the scheme of redirect_uri in capitals': rewritten((registered) => registered.replace(/^https:/, 'HTTPS:')),
      'a double slash in redirect_uri': rewritten((registered) => registered.replace(/\/(?=[^/]*$)/, '//')),
      'a backslash in redirect_uri': rewritten((registered) => registered.replace(/\/(?=[^/]*$)/, '\\')),
      'a path parameter of redirect_uri': rewritten((registered) => `${registered};unregistered=1`),
      'a space after redirect_uri': rewritten((registered) => `${registered} `),
      'a question mark after redirect_uri': rewritten((registered) => `${registered}?`),
      'a number sign after redirect_uri': rewritten((registered) => `${registered}#`),
      'a slash of redirect_uri percent-encoded': rewritten((registered) => registered.replace(/\/(?=[^/]*$)/, '%2F')),
      'the redirect_uri at the end of another address': rewritten(
        (registered) => `https://unregistered.example.com/?to=${registered}`,
      ),
      'the campaign of an advertisement in the query of redirect_uri': moved((target) => {
        target.searchParams.set('utm_source', 'conformance')
      }),
    },
    answers: notRegistered,
  },
  {
    slug: 'redirect-uri-other-query',
    requirement: 'AUTH-3',
    places: ['missing', 'wrong', 'reordered'].map((value) => `member=query value=${value}`),
    title: 'A redirect_uri without the query that it was registered with, or with another, is refused',
    needs: ['trusted', 'inbound'],
    clientMetadata: async (bank) => {
      const { redirectUri } = await bank.client()
      return { redirect_uris: [`${redirectUri}?${registeredQuery}`] }
    },
    broken: {
      'no query of redirect_uri': rewritten((registered) => registered.replace(/\?.*/, '')),
      'another value in the query of redirect_uri': rewritten((registered) =>
        registered.replace(/=[^=]*$/, '=elsewhere'),
      ),
      'the query of redirect_uri in another order': rewritten((registered) =>
        registered.replace(/\?.*/, `?${registeredQuery.split('&').reverse().join('&')}`),
      ),
    },
    answers: notRegistered,
  },
  {
    slug: 'redirect-uri-default-port',
    requirement: 'AUTH-3',
    places: ['member=default-port', 'member=pattern value=wrong'],
    title: 'A redirect_uri that names the port of https, or has another sign for a dot, is not the registered one',
    needs: ['trusted', 'inbound'],
    clientMetadata: async () => ({ redirect_uris: ['https://service.example.com/callback'] }),
    broken: {
      'the port of https in redirect_uri': rewritten((registered) =>
        registered.replace(/^https:\/\/[^/:]+(?=\/)/, (start) => `${start}:443`),
      ),
      'a letter for a dot of the host of redirect_uri': rewritten((registered) => registered.replace('.', 'x')),
    },
    answers: notRegistered,
  },
  {
    slug: 'redirect-uri-of-pattern',
    requirement: 'AUTH-3',
    places: ['member=pattern'],
    title: 'A redirect_uri that a registered one would match as a pattern is refused',
    needs: ['trusted', 'inbound'],
    clientMetadata: withPattern,
    broken: { 'what a registered redirect URI with an asterisk stands for': rewritten((uri) => `${uri}/of-pattern`) },
    answers: notRegistered,
  },
  {
    slug: 'redirect-uri-of-parts',
    requirement: 'AUTH-3',
    places: ['host', 'path'].map((member) => `member=${member} value=second`),
    title: 'A redirect_uri made of the host of one registered redirect URI and the path of another is refused',
    needs: ['trusted', 'inbound'],
    clientMetadata: twoHosts,
    broken: {
      'the first host with the second path': recombined((first, second) => first.origin + second.pathname),
      'the second host with the first path': recombined((first, second) => second.origin + first.pathname),
    },
    answers: notRegistered,
  },
  {
    slug: 'redirect-uri-of-another-client',
    requirement: 'AUTH-3',
    places: ['use=second-client'],
    title: 'A redirect_uri that another client registered is refused',
    needs: ['trusted', 'inbound'],
    broken: {
      'the redirect_uri of another client': async (_good, bank) => {
        const { redirectUri } = await bank.client({ client_name: 'Conformance another client' })
        return { redirect_uri: redirectUri }
      },
    },
    answers: notRegistered,
  },
  {
    slug: 'redirect-uri-not-registered-of-implicit',
    requirement: 'AUTH-3',
    places: ['grant=implicit'],
    title: 'A redirect_uri that is not registered is refused in the implicit flow, and nothing is redirected to it',
    needs: ['trusted', 'inbound'],
    clientMetadata: ofFrontChannel,
    broken: {
      'another host of redirect_uri': ofImplicit('redirect_uri', unregisteredAddress),
    },
    answers: notRegistered,
  },
  {
    slug: 'response-type-missing',
    requirement: 'AUTH-6',
    places: ['value=missing', 'value=empty'],
    title: 'A request without response_type is 400 invalid_request without a redirect',
    broken: { 'no response_type': { response_type: undefined }, 'an empty response_type': { response_type: '' } },
    answers: [direct('invalid_request')],
  },
  {
    slug: 'response-type-unsupported',
    requirement: 'AUTH-7',
    places: [
      ...['value=unknown', 'value=upper-case', 'value=both', 'value=prefix', 'value=superset', 'value=repeated'],
      ...['grant=implicit', 'grant=hybrid'],
      ...['none', 'id_token-token', 'code-id_token-token', 'comma'].map((type) => `member=${type}`),
    ],
    title: 'A response_type that is unsupported, or not registered for the client, is unsupported_response_type',
    broken: {
      'an unknown response_type': { response_type: 'conformance' },
      'a response_type in capitals': { response_type: 'CODE' },
      'an unknown response_type beside code': { response_type: 'code conformance' },
      'a response_type cut short': { response_type: 'cod' },
      'a response_type with something after it': { response_type: 'codes' },
      'response types that a comma keeps apart': { response_type: 'code,token' },
      'response_type code twice': { response_type: 'code code' },
      'response_type token, which is not registered': unregisteredType('token'),
      'response_type code token, which is not registered': unregisteredType('code token'),
      'response_type code id_token, which is not registered': unregisteredType('code id_token'),
      ...Object.fromEntries(
        ['id_token', 'id_token token', 'code id_token token', 'none'].map((type) => [
          `response_type ${type}, which is not registered`,
          unregisteredType(type),
        ]),
      ),
    },
    // Where the order of values does not matter, that one is named twice may not either (RFC 6749 section 3.1.1).
    readable: ['response_type code twice'],
    answers: unsupportedType,
  },
]

import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { claimsFor, isSupported } from '../request-object/by-reference.js'
import { codeAndImplicitClient } from '../support/implicit-client.js'
import { declaresFrontChannel } from '../support/known-tokens.js'
import { type Row, redirect } from './error-row.js'
import { notRegistered, twoRedirectUris, unsupportedType } from './identification-rows.js'

/** A client of a row's own, since its record is changed. */
const own = (name: string): Metadata => ({ client_name: `Conformance ${name} taken away` })

/** The redirect URI that a client of two registered last. */
const lastOf = (metadata: Metadata) => String([metadata.redirect_uris].flat().at(-1))

/** The request object at the place that was registered, as good as one can be. */
async function placedAt(bank: Bank, client: Parameters<typeof claimsFor>[1]): Promise<string> {
  const [place] = [client.metadata.request_uris].flat()
  const request_uri = String(place)
  bank.placeRequestObject(
    request_uri,
    await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing }),
  )
  return request_uri
}

/** What the record allowed until a PUT took it away is answered as what it never allowed. */
export const takenAwayRows: readonly Row[] = [
  {
    slug: 'redirect-uri-taken-away',
    requirement: 'AUTH-3',
    places: ['use=after-put'],
    title: 'A redirect_uri that was registered until a PUT took it away is refused, and nothing is redirected to it',
    needs: ['trusted', 'inbound'],
    clientMetadata: async (bank) => ({ ...(await twoRedirectUris(bank)), ...own('redirect URI') }),
    afterPut: ({ redirectUri }) => ({ redirect_uris: [redirectUri] }),
    broken: { 'the redirect_uri of the record before': ({ client }) => ({ redirect_uri: lastOf(client.metadata) }) },
    answers: notRegistered,
  },
  {
    slug: 'response-type-taken-away',
    requirement: 'AUTH-7',
    places: ['use=after-put'],
    title: 'A response_type that was registered until a PUT took it away is unsupported_response_type',
    needs: ['trusted', 'inbound'],
    clientMetadata: async (bank) =>
      (await declaresFrontChannel(bank)) ? { ...codeAndImplicitClient, ...own('response type') } : undefined,
    afterPut: () => ({ response_types: ['code'], grant_types: ['authorization_code'] }),
    broken: { 'the response_type of the record before': { response_type: 'token' } },
    answers: unsupportedType,
  },
  {
    slug: 'scope-taken-away',
    requirement: 'AUTH-12',
    places: ['use=after-put'],
    title: 'A scope that was registered until a PUT took it away is 302 invalid_scope',
    needs: ['trusted', 'inbound'],
    clientMetadata: async () => own('scope'),
    afterPut: ({ dataScopes }) => ({ scope: ['openid', ...dataScopes.slice(0, 1)].join(' ') }),
    broken: {
      'a scope of the record before': ({ client: { dataScopes } }) =>
        dataScopes.length > 1 ? { scope: ['openid', dataScopes[0], dataScopes.at(-1)].join(' ') } : undefined,
    },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'request-uri-taken-away',
    requirement: 'AUTH-21',
    places: ['use=after-put'],
    title: 'A request_uri that was registered until a PUT took it away is 302 invalid_request_uri',
    needs: ['trusted', 'inbound'],
    clientMetadata: async (bank) => {
      if (!isSupported(await bank.discovery())) return undefined
      const place = bank.placeForRequestObject()
      return { ...own('request_uri'), request_uris: [place, `${place}-of-another`] }
    },
    afterPut: ({ metadata }) => ({ request_uris: [metadata.request_uris].flat().slice(1) }),
    broken: {
      'the request_uri of the record before': async ({ client }, bank) => ({
        request_uri: await placedAt(bank, client),
      }),
    },
    answers: [redirect('invalid_request_uri')],
  },
]

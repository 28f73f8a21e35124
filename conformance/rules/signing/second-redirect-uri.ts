import type { Bank } from '../../bank/bank.js'

/** The record of a client of two redirect URIs, with its changes, and the second of them, which has a query. */
export async function elsewhere(bank: Bank): Promise<{
  clientMetadata: { client_name: string; redirect_uris: string[] }
  second: string
}> {
  const { redirectUri } = await bank.client()
  const second = `${redirectUri}/second?from=bank%20idp&x=1`
  return {
    clientMetadata: { client_name: 'Conformance signing elsewhere', redirect_uris: [redirectUri, second] },
    second,
  }
}

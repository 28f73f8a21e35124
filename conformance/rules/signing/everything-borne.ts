import type { SigningOptions } from '../../bank/signing.js'
import type { Tools } from '../../harness/rule.js'

/** A text and a document that come with an access token: what is to be seen of either is seen of one object. */
export async function everythingBorne({ bank }: Pick<Tools, 'bank'>): Promise<SigningOptions> {
  return { kind: 'text and document', bearer: (await bank.signing.login()).accessToken }
}

/** The same, with id_token_hint in place of the access token. */
export async function everythingHinted({ bank }: Pick<Tools, 'bank'>): Promise<SigningOptions> {
  return { kind: 'text and document', claims: { id_token_hint: await bank.hint(await bank.signing.login()) } }
}

/** What is to be signed, or how that is found: in the variation that is about it, so that a login that fails blocks none of the others. */
export type Made = SigningOptions | ((tools: Pick<Tools, 'bank'>) => Promise<SigningOptions>)

export async function optionsOf(tools: Pick<Tools, 'bank'>, made: Made): Promise<SigningOptions> {
  return typeof made === 'function' ? made(tools) : made
}

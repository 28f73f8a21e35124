import { scopesOfBoth } from '../../bank/claims.js'
import type { Tools } from '../../harness/rule.js'

/**
 * What is asked for with a text, so that the access token leads to claims at both endpoints of user data: one of whose scopes none has claims there
 * may be refused (DATA-8).
 */
export async function forReadableData({ bank }: Pick<Tools, 'bank'>): Promise<{ scope: string }> {
  const [data] = scopesOfBoth((await bank.client()).dataScopes)
  return { scope: ['openid', 'authorization', ...(data === undefined ? [] : [data])].join(' ') }
}

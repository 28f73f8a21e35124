import type { Tools } from '../../harness/rule.js'

/** What a text asks for whose access token is to lead to claims at both endpoints of user data. */
export async function forReadableData({ bank }: Pick<Tools, 'bank'>): Promise<{ scope: string }> {
  return { scope: await bank.signing.readableScope() }
}

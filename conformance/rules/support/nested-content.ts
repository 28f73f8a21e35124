import type { Tools } from '../../harness/rule.js'

/** Warns of a JWE with a JWT in it whose header does not say so (RFC 7519 section 5.2: cty is JWT, whatever its case). @param what names it in messages */
export function judgeContentType({ warn }: Pick<Tools, 'warn'>, what: string, cty: unknown): void {
  if (typeof cty === 'string' && cty.toUpperCase() === 'JWT') return
  warn(`cty of ${what} is ${cty ?? 'missing'}, where a JWT is in it (RFC 7519 section 5.2)`)
}

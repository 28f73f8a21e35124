import { callbackMessages } from '../callback-messages.js'
import { BankError } from '../errors.js'
import { noteDetail, noteRefusal } from '../refusals.js'
import type { makePolicy } from './interaction-policy.js'
import type { errors, KoaContextWithOIDC, Provider } from './library.js'

/** What is redeemed at /token, as oidc-provider and the store speak of it, and as names of checks do. */
const redeemed = { 'authorization code': 'code', 'refresh token': 'refresh-token', 'device code': 'device-code' }
/** What can be wrong with it, likewise. */
const flaws = {
  'not found': 'known',
  'is expired': 'expired',
  'already consumed': 'reused',
  'already used': 'reused',
  'was already used': 'reused',
}

/** The names of the checks of oidc-provider, by what it says when they refuse. */
const byWords = new Map<string, string>([
  ...Object.entries(redeemed).flatMap(([what, name]) =>
    Object.entries(flaws).flatMap(([flaw, check]) =>
      [`${what} ${flaw}`, `the ${what} ${flaw}`].map((words) => [words, `token-request/${name}-${check}`] as const),
    ),
  ),
  ['grant not found', 'token-request/grant-known'],
  ['grant is expired', 'token-request/grant-expired'],
  ...[
    'must be provided',
    'does not match code_challenge',
    'must be a string with a minimum length of 43 characters',
    'must be a string with a maximum length of 128 characters',
    'contains invalid characters',
  ].map((flaw) => [`code_verifier ${flaw}`, 'token-request/code-verifier'] as const),
  ...Object.entries(callbackMessages).map(([outcome, { message }]) => [message, `outcome/${outcome}`] as const),
])

const dashed = (name: string) =>
  name
    .replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`)
    .replaceAll('_', '-')
    .toLowerCase()

/** The name of the check that a page of the bank said the login ended by. */
function ofPage({ oidc }: KoaContextWithOIDC): string | undefined {
  const result: unknown = oidc?.entities.Interaction?.result
  const check = typeof result === 'object' && result !== null ? Reflect.get(result, 'check') : undefined
  return typeof check === 'string' ? check : undefined
}

/**
 * Remembers with an answer why oidc-provider refused: the code, the name of the check, and what it tells the caller less. What it says is
 * never logged, and where its words are none of those known the check goes by the kind of the error.
 */
export function rememberRefusals(provider: Provider, policy: ReturnType<typeof makePolicy>): void {
  const asked = policy.flatMap(({ checks }) =>
    checks.map(({ description, reason }) => [description, `prompt/${dashed(reason)}`] as const),
  )
  const names = new Map([...asked, ...byWords])
  const remember = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    const { error: code, error_detail: detail, error_description: description, cause, name } = error
    const known = names.get(String(detail)) ?? names.get(String(description))
    const own = cause instanceof BankError ? cause.check : undefined
    noteRefusal(ctx.res, { code, check: ofPage(ctx) ?? own ?? known ?? `library/${dashed(name)}` })
    if (detail !== undefined) noteDetail(ctx.res, detail)
  }
  provider.on('authorization.error', remember)
  provider.on('grant.error', remember)
  provider.on('device_authorization.error', remember)
  // A wrong code is no error of these: it is told on the page that asks for one.
  for (const event of ['code_verification.error', 'device_resume.error'] as const) {
    provider.on(event, (ctx, error) => error.status >= 400 && remember(ctx, error))
  }
}

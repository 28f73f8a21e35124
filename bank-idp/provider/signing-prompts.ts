import type { SigningRequests } from '../store/signing-requests.js'
import { interactionPolicy, type KoaContextWithOIDC } from './library.js'

const { Check, Prompt } = interactionPolicy

/** Prompts of the signing flow: endpoints/authorize.ts shows their pages. */
export const signingPrompts = ['identify', 'sign']

type Policy = ReturnType<typeof interactionPolicy.base>

/**
 * The policy with what the signing flow adds. `identify` comes first, for someone whom the request names (by id_token_hint or access
 * token), so that the initial identification is skipped; `sign` last, when it is known who is there and what was consented to.
 */
export function withSigningPrompts(policy: Policy, requests: SigningRequests): Policy {
  const requestOf = ({ oidc }: KoaContextWithOIDC) => {
    const id = oidc.params?.signing_request
    return typeof id === 'string' ? requests.find(id) : undefined
  }
  const identify = new Check('person_named', 'the request names who is to authorize it', async (ctx) => {
    const request = await requestOf(ctx)
    const named = request?.personId ?? request?.hintedId
    const there = ctx.oidc.session?.accountId
    // Someone else may be there of whom a hint knows nothing; an access token binds.
    const wrong = there === undefined || (request?.personId !== undefined && there !== request.personId)
    return named !== undefined && wrong && !ctx.oidc.result?.login
  })
  const sign = new Check('undecided', 'an object waits to be authorized', async (ctx) => {
    const request = await requestOf(ctx)
    return request !== undefined && ctx.oidc.result?.sign !== request.id
  })
  policy.add(new Prompt({ name: 'identify' }, identify), 0)
  policy.add(new Prompt({ name: 'sign' }, sign))
  return policy
}

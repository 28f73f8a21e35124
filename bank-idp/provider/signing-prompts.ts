import { namedPerson } from '../signing-request.js'
import type { SigningRequests } from '../store/signing-requests.js'
import { internalOf } from './internal-request.js'
import { interactionPolicy, type KoaContextWithOIDC } from './library.js'

const { Check, Prompt } = interactionPolicy

/** The request object that is to be authorized; undefined in other flows. */
export function objectToAuthorize({ oidc }: KoaContextWithOIDC, requests: SigningRequests) {
  const id = internalOf(oidc.params, 'signingRequest')
  return id === undefined ? undefined : requests.find(id)
}

/** Comes first, for someone whom the request names (by id_token_hint or access token): the initial identification is skipped. */
export function identifyPrompt(requests: SigningRequests) {
  const check = new Check('person_named', 'the request names who is to authorize it', async (ctx) => {
    const request = await objectToAuthorize(ctx, requests)
    const named = request && namedPerson(request)
    return named !== undefined && ctx.oidc.session?.accountId !== named && !ctx.oidc.result?.identify
  })
  return new Prompt({ name: 'identify', requestable: false }, check)
}

/** Comes last, when it is known who is there and what was consented to. */
export function signPrompt(requests: SigningRequests) {
  const check = new Check('undecided', 'an object waits to be authorized', async (ctx) => {
    const request = await objectToAuthorize(ctx, requests)
    return request !== undefined && ctx.oidc.result?.sign !== request.id
  })
  return new Prompt({ name: 'sign', requestable: false }, check)
}

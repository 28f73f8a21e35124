import { Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import type { Client } from './registration.js'
import { prepareSignedExchange } from './signing.js'
import { submission } from './submission-outcome.js'

/** What response_type code id_token token gave in front of the person, in the fragment of the callback (AMB-13, AMB-61). */
export interface Hybrid {
  client: Client
  nonce: unknown
  /** Those that the request object asked for. */
  scopes: readonly string[]
  fragment: URLSearchParams
  response: HttpResponse
  /** What POST /token answered to the code beside them; undefined where none came. */
  redeemed: HttpResponse | undefined
}

/** An object that was authorized in the hybrid flow, once in a run. @throws Skip where the bank gives no tokens there */
export function hybrid(conversation: Conversation): Promise<Hybrid> {
  return conversation.shared('hybrid flow', async (own) => {
    const { accepted } = await submission.modified(own, {}, ({ claims }) => ({
      claims: { ...claims, response_type: 'code id_token token' },
    }))
    const callback = accepted?.visit.callback
    if (!accepted || !callback?.fragment.has('id_token')) {
      throw new Skip('the bank gives no id_token in the front channel (AMB-13, AMB-61)')
    }
    const { client, claims } = accepted.object.request
    const scopes = String(claims.scope).split(' ')
    const code = callback.fragment.get('code')
    const { object } = accepted
    const redeemed =
      code === null
        ? undefined
        : await sendClientRequest(own, await prepareSignedExchange(own, { client, code, object }))
    return { client, nonce: claims.nonce, scopes, fragment: callback.fragment, response: callback.response, redeemed }
  })
}

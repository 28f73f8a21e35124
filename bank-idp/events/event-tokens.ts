import type { JWTPayload } from 'jose'
import { nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import type { BankAlgorithm } from '../keys/jwk.js'
import { signJwt } from '../provider/nested-jwt.js'
import type { NestedJwtKind } from '../seams.js'
import type { ClaimUpdateContent, Delivery, LogoutContent, OutboxItem } from '../store/outbox.js'

/** How long a logout token is good for, in seconds; one that is sent again later is made anew (OpenID Back-Channel Logout 1.0 section 2.4). */
const logoutTokenLifetimeSeconds = 120

export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** A token as it is posted. */
export interface EventToken {
  /** Name of the form field. */
  field: 'logout_token' | 'notification_token'
  jwt: string
}

type TokenContext = Pick<BankContext, 'config' | 'policy' | 'clients' | 'keys' | 'seams'>

/** Makes the token that carries a delivery. What it says stays the same from attempt to attempt, but for its times. */
export async function makeEventToken(context: TokenContext, delivery: Delivery): Promise<EventToken> {
  const [first] = delivery.items
  if (first?.content.kind === 'logout') return logoutToken(context, delivery, first.clientId, first.content)
  const { iat, ...common } = base(context, delivery)
  const { notificationIat, updateEventType } = context.policy
  const claims = {
    ...common,
    iat: notificationIat === 'iso-8601' ? new Date(iat * 1000).toISOString() : iat,
    events: claimUpdates(delivery.items, updateEventType === 'claims-updated' ? 'claims_updated' : 'claim_updated'),
  }
  return { field: 'notification_token', jwt: await sign(context, 'notification_token', claims, 'PS512', 'JWT') }
}

/** OpenID Back-Channel Logout 1.0 section 2.4. */
async function logoutToken(
  context: TokenContext,
  delivery: Delivery,
  clientId: string,
  { sub, sid }: LogoutContent,
): Promise<EventToken> {
  const client = await context.clients.find(clientId)
  const registered = client?.record.id_token_signed_response_alg
  const alg = registered === 'ES512' ? 'ES512' : 'PS512'
  const common = base(context, delivery)
  const claims = {
    ...common,
    aud: clientId,
    sub,
    ...(sid !== undefined && { sid }),
    exp: common.iat + logoutTokenLifetimeSeconds,
    events: { [logoutEvent]: {} },
  }
  return { field: 'logout_token', jwt: await sign(context, 'logout_token', claims, alg, 'logout+jwt', clientId) }
}

function base({ config }: TokenContext, { jti }: Delivery) {
  return { iss: config.issuer, iat: nowSeconds(), jti }
}

/** Specification: "Notification token and event". Clients that know the person by one sub, and hear of the same claims, share an event. */
function claimUpdates(items: readonly OutboxItem[], type: string) {
  const events = new Map<string, { content: ClaimUpdateContent; clientIds: string[] }>()
  for (const { clientId, content } of items) {
    if (content.kind !== 'notification') continue
    const key = JSON.stringify([content.change, content.sub, content.claims])
    const event = events.get(key) ?? { content, clientIds: [] }
    events.set(key, { content, clientIds: [...event.clientIds, clientId] })
  }
  return [...events.values()].map(({ content: { at, sub, claims }, clientIds }) => ({
    type,
    original_event_at: at,
    sub,
    affected_client_ids: clientIds,
    affected_claims: claims,
  }))
}

async function sign(
  { keys, seams }: TokenContext,
  kind: NestedJwtKind,
  claims: object,
  alg: BankAlgorithm,
  typ: string,
  clientId?: string,
): Promise<string> {
  const planned = { claims: claims as JWTPayload, signing: { alg, key: keys.current(alg) }, typ }
  return signJwt(await seams.nestedJwt(kind, planned, { clientId, bankKey: (name) => keys.current(name) }))
}

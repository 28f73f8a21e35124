import type { BankContext } from '../context.js'
import { deviceFlow } from './device-grant.js'
import type { Configuration } from './library.js'

type Features = NonNullable<Configuration['features']>

/** What the bank makes of a feature of oidc-provider: whether it is on, and why. */
interface FeatureChoice {
  on: boolean
  why: string
}

const off = (why: string): FeatureChoice => ({ on: false, why })
const on = (why: string): FeatureChoice => ({ on: true, why })

const notSpecified = 'The specification does not have it, and discovery does not declare it'

/**
 * Every feature of oidc-provider, since some are on unless they are switched off, and each of them reads parameters and headers, or
 * serves paths, of its own.
 */
export const featureChoices: Readonly<Record<keyof Features, FeatureChoice>> = {
  encryption: on('Clients register that their id_tokens are encrypted.'),
  deviceFlow: on(
    'Discovery declares device_authorization_endpoint (AMB-34); off where the policy does not declare it.',
  ),

  // What the specification has, and the bank's own code does.
  backchannelLogout: off('The bank makes and delivers logout tokens itself, from its outbox (events/).'),
  devInteractions: off('The pages are those of the bank (pages/).'),
  introspection: off('POST /token-info is endpoints/token-info.ts.'),
  jwtUserinfo: off(
    'GET /userinfo and GET /profile sign and encrypt their answers in one place (provider/nested-jwt.ts).',
  ),
  mTLS: off('The bank binds the tokens of the signing flow to their certificate itself (signing/token-checks.ts).'),
  registration: off('POST /register is endpoints/register.ts.'),
  registrationManagement: off('GET, PUT and DELETE of /register/{client_id} are endpoints/register.ts.'),
  requestObjects: off(
    'The library takes none by reference: provider/request-object.ts does. The parameter request is refused, as discovery says.',
  ),
  revocation: off('POST /revoke is endpoints/revoke.ts.'),
  rpInitiatedLogout: off('end_session_endpoint is endpoints/end-session.ts.'),
  userinfo: off(
    'GET /userinfo is endpoints/userinfo.ts, since GET /profile has to sign and encrypt its answers the same way.',
  ),

  // What the specification does not have.
  attestClientAuth: off(
    `${notSpecified}: clients authenticate by client_secret_post, client_secret_jwt or private_key_jwt.`,
  ),
  ciba: off(`${notSpecified}: the signing flow has an out-of-band authorization of its own.`),
  claimsParameter: off('claims_parameter_supported is false.'),
  clientCredentials: off(`${notSpecified}: every token is about a person.`),
  clientIdMetadataDocument: off(`${notSpecified}: clients are registered.`),
  dPoP: off(`${notSpecified}: token_type is Bearer, and the signing flow binds its tokens by mutual TLS.`),
  externalSigningSupport: off('The bank signs itself (provider/nested-jwt.ts).'),
  fapi: off(`${notSpecified}: its own rules differ from those of the FAPI profiles.`),
  jwtIntrospection: off(`${notSpecified}: the introspection response is JSON.`),
  jwtResponseModes: off(`${notSpecified}: response_modes_supported is query.`),
  openid4vci: off(`${notSpecified}: the bank issues no credentials.`),
  pushedAuthorizationRequests: off(`${notSpecified}: request objects are pushed to /ros in the signing flow alone.`),
  resourceIndicators: off(`${notSpecified}: an access token is for this bank's own /userinfo and /profile.`),
  richAuthorizationRequests: off(`${notSpecified}: what is authorized is in structured_scope of a request object.`),
  rpMetadataChoices: off(`${notSpecified}: a registration names one value of each algorithm.`),
  webMessageResponseMode: off(`${notSpecified}: response_modes_supported is query.`),
}

/** The features of oidc-provider as the bank configures them: all by name, whatever the library would have by itself. */
export function features(context: Pick<BankContext, 'config' | 'policy'>): Features {
  const switches = Object.entries(featureChoices).map(([name, { on: enabled }]) => [name, { enabled }])
  return { ...(Object.fromEntries(switches) as Features), deviceFlow: deviceFlow(context) }
}

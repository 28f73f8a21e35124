import { deviceGrant } from '../capabilities.js'

/** What a request at /token redeems, by its grant, as an error_description names it. RFC 6749 sections 4.1.3 and 6; RFC 8628 section 3.4. */
const redeemed: Record<string, string> = {
  authorization_code: 'the authorization code',
  refresh_token: 'the refresh token',
  [deviceGrant]: 'the device code',
}

export function redeemedBy(grant: unknown): string {
  return redeemed[String(grant)] ?? 'the grant'
}

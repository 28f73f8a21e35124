import { frontChannelRequest } from '../../bank/front-channel.js'

/** Changes of the default record for a client of the implicit flow alone. */
export const implicitClient = frontChannelRequest.clientMetadata

/** The same for a client of the code flow too. */
export const codeAndImplicitClient = {
  ...implicitClient,
  response_types: ['code', 'token'],
  grant_types: ['authorization_code', 'implicit'],
}

/**
 * The error codes that may leave each endpoint, each with where it comes from; no other code may. In the names of sources: "Error codes" and
 * "Callback messages" are tables of the specification, "published" is the interface as published, AMB-… a reading of the register.
 */
const everywhere = {
  invalid_request: 'Error codes; RFC 6749 section 5.2, RFC 6750 section 3.1',
  server_error: 'Error codes',
  temporarily_unavailable: 'Error codes',
}

/** How a login or an authorization ends. */
const endings = {
  access_denied: 'Error codes; Callback messages',
  eid_doesnt_exist: 'Error codes; Callback messages',
  user_not_eligible: 'Callback messages; AMB-28',
}

const authorization = {
  ...everywhere,
  ...endings,
  unauthorized_client: 'Error codes',
  unsupported_response_type: 'Error codes',
  invalid_scope: 'Error codes',
  interaction_required: 'Error codes',
  login_required: 'Error codes',
  account_selection_required: 'Error codes',
  consent_required: 'Error codes',
  invalid_request_uri: 'Error codes',
  invalid_request_object: 'Error codes',
  request_uri_not_supported: 'Error codes',
  request_not_supported: 'published',
  registration_not_supported: 'Error codes',
  not_found: 'AMB-2',
}

const client = { invalid_client: 'RFC 6749 section 5.2', unauthorized_client: 'Error codes; RFC 6749 section 5.2' }

const bearer = { invalid_token: 'RFC 6750 section 3.1; AMB-32', insufficient_scope: 'RFC 6750 section 3.1; AMB-32' }

const tokenCaller = {
  ...everywhere,
  ...bearer,
  invalid_client: client.invalid_client,
  unsupported_token_type: 'AMB-56; RFC 7009 section 2.2.1',
  invalid_token_type_hint: 'AMB-56; published',
}

/** By the path of the endpoint; /register/{client_id} and the pages behind an address belong to the path above them. */
export const errorCodes: Record<string, Record<string, string>> = {
  '/.well-known/openid-configuration': everywhere,
  '/.well-known/jwks.json': everywhere,
  '/healthcheck': everywhere,
  '/register': {
    ...everywhere,
    ...bearer,
    invalid_redirect_uri: 'Error codes',
    invalid_client_metadata: 'published; RFC 7591 section 3.2.2',
  },
  '/auth': authorization,
  '/authorize': { ...authorization, request_uri_not_found: 'AMB-76; published' },
  '/token': {
    ...everywhere,
    ...client,
    invalid_grant: 'published; RFC 6749 section 5.2',
    unsupported_grant_type: 'published; RFC 6749 section 5.2',
    invalid_scope: 'published; RFC 6749 section 5.2',
    ...endings,
    authorization_pending: 'RFC 8628 section 3.5',
    slow_down: 'RFC 8628 section 3.5',
    expired_token: 'RFC 8628 section 3.5',
  },
  '/token-info': tokenCaller,
  '/revoke': tokenCaller,
  '/userinfo': { ...everywhere, ...bearer },
  '/profile': { ...everywhere, ...bearer, user_not_eligible: 'published' },
  '/ros': {
    ...everywhere,
    ...client,
    ...bearer,
    invalid_scope: 'Error codes',
    invalid_request_object: 'Error codes',
  },
  '/device_authorization': { ...everywhere, ...client, invalid_scope: 'RFC 6749 section 5.2' },
  '/session/end': everywhere,
}

/**
 * The codes of errors that somebody has written down: the specification ("Error codes of authentication and authorization", "Callback messages
 * identical across banks", and what it tells of some banks), and the registry of OAuth Extensions Errors (RFC 6749 section 11.4) as the RFCs and the
 * specifications of OpenID fill it.
 */
const known: ReadonlySet<string> = new Set(
  `
  access_denied account_selection_required consent_required eid_doesnt_exist interaction_required invalid_redirect_uri invalid_request
  invalid_request_object invalid_request_uri invalid_scope login_required not_found registration_not_supported request_not_supported
  request_uri_not_supported server_error temporarily_unavailable unauthorized_client unsupported_response_type user_not_eligible

  authorization_pending expired_token insufficient_scope insufficient_user_authentication invalid_authorization_details invalid_client
  invalid_client_metadata invalid_dpop_proof invalid_grant invalid_software_statement invalid_target invalid_token need_info request_denied
  request_submitted slow_down unapproved_software_statement unmet_authentication_requirements unsupported_grant_type unsupported_token_type
  use_dpop_nonce
  `
    .trim()
    .split(/\s+/),
)

/** Characters of a code that are told. */
const longestShown = 60

/** What is to be warned of where an error has a code that nobody can know. */
export function doubtAbout(code: unknown): string | undefined {
  if (typeof code !== 'string' || code === '' || known.has(code)) return undefined
  return `the error '${code.slice(0, longestShown)}' is none of the specification's, nor of the registry of OAuth (RFC 6749 section 11.4)`
}

/** A request that the service does not take. Nothing of it is taken in. */
export class Refusal extends Error {
  /**
   * @param status 400 when the request is at fault, 401 when the caller did not show who it is, 404 when nothing is there, 500 when the service could not tell
   * @param reason for the reader at the bank
   */
  constructor(
    readonly status: 400 | 401 | 404 | 500,
    reason: string,
    options?: ErrorOptions,
  ) {
    // RFC 6749 section 5.2: ASCII without quotation mark and backslash.
    super(reason.replaceAll('"', "'").replace(/[^\x20-\x7e]|\\/g, '?'), options)
  }

  get body(): { error: string; error_description: string } {
    const error = { 400: 'invalid_request', 401: 'invalid_token', 404: 'not_found', 500: 'internal_server_error' }[
      this.status
    ]
    return { error, error_description: this.message }
  }
}

interface ErrorRow {
  /** HTTP status when the error is answered directly, as JSON. */
  status: number
  /** Whether the error goes to the redirect URI (HTTP 302) when there is one to trust. */
  redirect: boolean
}

/**
 * The error codes the bank answers with. Specification: "Error codes of authentication and authorization"; below the line the codes
 * of OpenID Connect Core section 3.1.2.6, RFC 6749 section 5.2, RFC 6750 section 3.1, RFC 8628 section 3.5 and OpenID Connect Dynamic Client Registration section
 * 3.3.
 */
export const errorTable = {
  invalid_request: { status: 400, redirect: true },
  unauthorized_client: { status: 400, redirect: false },
  access_denied: { status: 400, redirect: true },
  unsupported_response_type: { status: 400, redirect: false },
  invalid_scope: { status: 400, redirect: true },
  server_error: { status: 500, redirect: false },
  temporarily_unavailable: { status: 503, redirect: false },
  interaction_required: { status: 400, redirect: true },
  login_required: { status: 400, redirect: true },
  account_selection_required: { status: 400, redirect: true },
  consent_required: { status: 400, redirect: true },
  invalid_request_uri: { status: 400, redirect: true },
  invalid_request_object: { status: 400, redirect: true },
  request_uri_not_supported: { status: 400, redirect: true },
  registration_not_supported: { status: 400, redirect: true },
  eid_doesnt_exist: { status: 400, redirect: true },
  user_not_eligible: { status: 500, redirect: true },
  invalid_redirect_uri: { status: 400, redirect: false },
  // ----
  request_not_supported: { status: 400, redirect: true },
  invalid_client: { status: 400, redirect: false },
  invalid_client_metadata: { status: 400, redirect: false },
  invalid_grant: { status: 400, redirect: false },
  invalid_token: { status: 401, redirect: false },
  insufficient_scope: { status: 403, redirect: false },
  unsupported_grant_type: { status: 400, redirect: false },
  unsupported_token_type: { status: 400, redirect: false },
  slow_down: { status: 400, redirect: false },
  not_found: { status: 404, redirect: false },
  // Published.
  request_uri_not_found: { status: 404, redirect: false },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorTable

/** Characters of a description at the most: it may quote what was sent. */
const maxDescriptionLength = 1000

/** Published: error_description is ASCII without `"` and `\` (also RFC 6749 section 5.2). What has an accent loses it. */
function printable(text: string): string {
  const ascii = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('"', "'")
    .replace(/[^\x20-\x7e]|\\/g, '?')
  return ascii.length > maxDescriptionLength ? `${ascii.slice(0, maxDescriptionLength - 3)}...` : ascii
}

interface Details {
  /** Overrides the status of the table, in the places where the specification leaves it open (AMB-32). */
  status?: number
  headers?: Record<string, string>
  /** Whether the status and the headers say it all (AMB-32). */
  withoutBody?: boolean
  cause?: unknown
}

/** An answer that is an error: a code of {@link errorTable} and a sentence for the reader. One handler renders it as JSON. */
export class BankError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly headers: Record<string, string>
  readonly withoutBody: boolean
  #check: string | undefined

  constructor(code: ErrorCode, description: string, { status, headers, withoutBody, cause }: Details = {}) {
    super(printable(description), { cause })
    this.name = 'BankError'
    this.code = code
    this.status = status ?? errorTable[code].status
    this.headers = headers ?? {}
    this.withoutBody = withoutBody ?? false
  }

  /** Says which check refused: the first to say so was the nearest to what is wrong. */
  refusedBy(check: string): this {
    this.#check ??= check
    return this
  }

  /** Name of the check that refused, for the log; undefined where the bank failed. */
  get check(): string | undefined {
    return this.#check ?? (this.cause instanceof BankError ? this.cause.check : undefined)
  }

  get body(): { error: ErrorCode; error_description: string } {
    return { error: this.code, error_description: this.message }
  }
}

/** Bad use of the program (an option, a file, a data directory) that the person at the keyboard can fix. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What went wrong with a connection, after the words "the bank", by the code of the error. */
const connectionFailures: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'has an address that cannot be resolved',
  EAI_AGAIN: 'has an address that cannot be resolved now',
  EHOSTUNREACH: 'is at an address that cannot be reached',
  ENETUNREACH: 'is at an address that cannot be reached',
  ETIMEDOUT: 'did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'did not send its whole answer in time',
  UND_ERR_HEADERS_OVERFLOW: 'sent more headers than the harness accepts',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent a body whose length differs from its content-length',
  CERT_HAS_EXPIRED: 'presents a TLS certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'presents a self-signed TLS certificate that `ca` of the target file does not contain',
  SELF_SIGNED_CERT_IN_CHAIN: 'presents a TLS certificate of an authority that `ca` of the target file does not contain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'presents a TLS certificate of an authority that `ca` of the target file does not contain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'presents a TLS certificate of an authority that `ca` of the target file does not contain',
  ERR_TLS_CERT_ALTNAME_INVALID: 'presents a TLS certificate of another host',
  EPROTO: 'did not complete the TLS handshake',
  // Headers and addresses are made of what banks give: a token with a line end in it, say.
  UND_ERR_INVALID_ARG: 'gave a value that a request cannot carry',
}

const connectionFailureKinds: readonly [RegExp, string][] = [
  [/^ERR_SSL/, 'did not complete the TLS handshake'],
  [/^(CERT_|ERR_TLS_)/, 'presents a TLS certificate that is not valid'],
  // Of the kind of the error where its code does not tell: undici looks for the name of a code among those of the numbers.
  [/^(HPE_|HTTPParserError)/, 'did not answer in HTTP'],
]

/** What happened on a connection, after the words "the bank"; undefined when the error is none of the connection's. */
export function connectionTrouble(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const {
    code,
    name: ofError,
    syscall,
    cause,
    errors,
  } = error as {
    code?: unknown
    name?: unknown
    syscall?: unknown
    cause?: unknown
    errors?: unknown
  }
  const name = String(code ?? ofError)
  const kind = connectionFailureKinds.find(([pattern]) => pattern.test(name))
  return (
    connectionFailures[name] ??
    (kind && `${kind[1]} (${name})`) ??
    connectionTrouble(Array.isArray(errors) ? errors[0] : cause) ??
    (syscall === undefined ? undefined : `could not be reached (${name})`)
  )
}

/**
 * The names of the bank's cookies. By a prefix a browser takes them over TLS alone, and those of `__Host-` from this host alone, for all of its
 * paths: no other host of the domain can put its own in their place (RFC 6265bis section 4.1.3). A login that waits has cookies of its own
 * path, so that of several windows each has its own; that is why theirs cannot be of this host alone. What another host could put there names
 * a login that this browser did not begin, and is signed.
 */
export const cookieNames = {
  session: '__Host-session',
  device: '__Host-device',
  interaction: '__Secure-interaction',
  resume: '__Secure-resume',
} as const

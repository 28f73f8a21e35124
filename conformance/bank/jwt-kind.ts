/** What a bank signs: for a client, about a person, or for the service. */
export type JwtKind = 'id_token' | 'userinfo' | 'profile' | 'logout_token' | 'notification_token' | 'client assertion'

/** What marks a JWT as being of a kind. */
interface Marks {
  /**
   * Values of `typ`, which may be left out: in lower case, without "application/" (RFC 7515 section 4.1.9). Where none is registered, a bank may
   * have one of its own, and none but those of other kinds speak against it.
   */
  types?: readonly string[]
  /** Claims that only JWTs of other kinds carry. */
  foreign: readonly string[]
}

/** Values of `typ` that are registered for what a bank gives nobody as an id_token or as data of a person. */
const typesOfOthers = [
  'at+jwt',
  'authorization-grant+jwt',
  'client-authentication+jwt',
  'dpop+jwt',
  'entity-statement+jwt',
  'logout+jwt',
  'oauth-authz-req+jwt',
  'secevent+jwt',
  'token-introspection+jwt',
]

const userData: Marks = { foreign: ['events', 'nonce'] }

/**
 * RFC 8725 sections 3.11 and 3.12; the audience and the claims that have to be there are for others to judge. Events are those of logout
 * tokens and of notifications, and nonce is what an id_token answers (OpenID Connect Back-Channel Logout 1.0 section 2.4; RFC 8417
 * sections 2.2 and 2.3).
 */
const kinds: Readonly<Record<JwtKind, Marks>> = {
  id_token: { foreign: ['events'] },
  userinfo: userData,
  profile: userData,
  logout_token: { types: ['jwt', 'logout+jwt', 'secevent+jwt'], foreign: ['nonce'] },
  notification_token: { types: ['jwt', 'secevent+jwt'], foreign: ['nonce'] },
  'client assertion': { types: ['jwt', 'client-authentication+jwt'], foreign: ['events', 'nonce'] },
}

/** Says why a JWT is not of a kind: a sentence about "it"; undefined when nothing speaks against it. */
export function notOfKind(
  kind: JwtKind,
  { typ }: { typ?: unknown },
  claims: Record<string, unknown>,
): string | undefined {
  const { types, foreign } = kinds[kind]
  const type = String(typ)
    .toLowerCase()
    .replace(/^application\//, '')
  const fits = types ? types.includes(type) : !typesOfOthers.includes(type)
  if (typ !== undefined && !fits) return `its typ is ${String(typ)}`
  const other = foreign.find((name) => claims[name] !== undefined)
  return other === undefined ? undefined : `it carries ${other}`
}

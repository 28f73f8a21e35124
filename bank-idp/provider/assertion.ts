import type { CompactVerifyGetKey, JWSHeaderParameters, JWTPayload } from 'jose'
import type { Check } from '../checks.js'
import { clockOffsetSeconds, now, nowSeconds } from '../clock.js'
import type { BankError } from '../errors.js'
import { reasonOf } from '../keys/client-keys.js'
import { claimsOfJwt, headerOfJwt } from '../keys/jwt-header.js'
import { keysOf, minRsaBits, rsaBits, verifyCompact } from '../keys/verification.js'
import type { AssertionIds } from '../store/assertion-ids.js'
import { notOfKind } from './jwt-kind.js'

/** The assertion type of RFC 7523 section 2.2. */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** An assertion may live a day at the longest, in seconds: libraries in use make them for up to an hour. */
const maxLifetimeSeconds = 86_400
/** How far two clocks may differ, in seconds. */
const clockToleranceSeconds = 10

/** A JWT by which a caller proves who it is, with what it has to satisfy. */
export interface Assertion {
  jwt: string
  header: JWSHeaderParameters
  claims: JWTPayload
  /** Whether its signature is taken for good unseen: a fault's doing. */
  believed?: boolean
  /** Algorithms allowed. */
  algorithms: readonly string[]
  /** Values of `aud` that name the endpoint. */
  audience: readonly string[]
  /** What `iss` and `sub` have to be; undefined where the table of claims lists neither. */
  issuer?: string
  /** Whether `iss` and `sub` may be left out; those sent have to be right all the same (AMB-23). */
  issuerOmittable?: boolean
  /** Whose jti it is. */
  issuedBy: string
  /** Finds the key; several checks ask for it. */
  key: CompactVerifyGetKey
  ids: AssertionIds
  /** Whether a jti may come again until exp (AMB-68). */
  repeatable?: boolean
  /** The refusal for this use of an assertion. */
  refuse(reason: string, cause?: unknown): BankError
}

/**
 * Reads a JWT without believing it.
 *
 * @throws {BankError} the refusal, when it is none
 */
export function readAssertion(jwt: string, refuse: Assertion['refuse']): Pick<Assertion, 'jwt' | 'header' | 'claims'> {
  try {
    return { jwt, header: headerOfJwt(jwt), claims: claimsOfJwt(jwt) }
  } catch (cause) {
    throw refuse('client_assertion is not a JWT', cause).refusedBy('client-assertion/form')
  }
}

function numeric(claims: JWTPayload, name: 'exp' | 'iat' | 'nbf'): number | undefined {
  return typeof claims[name] === 'number' && Number.isFinite(claims[name]) ? claims[name] : undefined
}

/** Whoever signs by the machine's time is told the bank's, where that was moved. */
function movedTime(): string {
  return clockOffsetSeconds() === 0 ? '' : `: the bank's clock was moved to ${new Date(now()).toISOString()}`
}

/**
 * The checks of an assertion, in their order. Specification: "Client assertion JWT claims"; RFC 7523 section 3.
 *
 * @param prefix names the table in the ids of its checks
 */
export function assertionChecks(prefix: string): readonly Check<Assertion>[] {
  return [
    {
      id: `${prefix}/algorithm`,
      check({ header, algorithms, refuse }) {
        if (!algorithms.includes(String(header.alg))) {
          throw refuse(
            `client_assertion is signed with ${String(header.alg)}, not with one of ${algorithms.join(', ')}`,
          )
        }
      },
    },
    {
      // The algorithms with an elliptic curve name the curve, and none has fewer than 256 bits (specification: "Limits").
      id: `${prefix}/key-size`,
      async check({ jwt, key, believed, refuse }) {
        if (believed) return
        // A key that cannot be found has no size; the signature is refused for it.
        const sizes = await keysOf(jwt, key).then(
          (keys) => keys.map((one) => rsaBits(one) ?? minRsaBits),
          () => [minRsaBits],
        )
        const most = Math.max(...sizes)
        if (most < minRsaBits) {
          throw refuse(`the RSA key of client_assertion has ${most} bits; it must have ${minRsaBits} or more`)
        }
      },
    },
    {
      id: `${prefix}/signature`,
      async check({ jwt, key, believed, refuse }) {
        if (believed) return
        await verifyCompact(jwt, key, String(headerOfJwt(jwt).alg)).catch((cause) => {
          throw refuse(`the signature of client_assertion cannot be verified: ${reasonOf(cause)}`, cause)
        })
      },
    },
    {
      id: `${prefix}/kind`,
      check({ header, claims, refuse }) {
        const otherKind = notOfKind('client assertion', header, claims)
        if (otherKind !== undefined) throw refuse(`client_assertion is a JWT of another kind: ${otherKind}`)
      },
    },
    {
      id: `${prefix}/aud`,
      check({ claims, audience, refuse }) {
        const given = [claims.aud ?? []].flat()
        if (!given.some((value) => audience.includes(value)))
          throw refuse(`aud of client_assertion must be ${audience[0]}`)
      },
    },
    ...(['iss', 'sub'] as const).map((name) => ({
      id: `${prefix}/${name}`,
      check({ claims, issuer, issuerOmittable, refuse }: Assertion) {
        if (issuer === undefined || (issuerOmittable && claims[name] === undefined)) return
        if (claims[name] !== issuer) throw refuse(`${name} of client_assertion must be the client_id`)
      },
    })),
    {
      id: `${prefix}/exp`,
      check({ claims, refuse }) {
        const exp = numeric(claims, 'exp')
        if (exp === undefined) throw refuse('client_assertion has no exp (seconds since the epoch)')
        if (exp + clockToleranceSeconds <= nowSeconds()) throw refuse(`client_assertion has expired${movedTime()}`)
      },
    },
    {
      id: `${prefix}/iat`,
      check({ claims, refuse }) {
        const iat = numeric(claims, 'iat')
        if (iat === undefined) throw refuse('client_assertion has no iat (seconds since the epoch)')
        if (iat - clockToleranceSeconds > nowSeconds()) throw refuse('iat of client_assertion lies in the future')
        const nbf = claims.nbf === undefined ? 0 : numeric(claims, 'nbf')
        if (nbf === undefined) throw refuse('nbf of client_assertion is no number (seconds since the epoch)')
        if (nbf - clockToleranceSeconds > nowSeconds()) throw refuse('nbf of client_assertion lies in the future')
      },
    },
    {
      id: `${prefix}/lifetime`,
      check({ claims, refuse }) {
        if ((numeric(claims, 'exp') ?? 0) - nowSeconds() > maxLifetimeSeconds) {
          throw refuse(`client_assertion lives longer than ${maxLifetimeSeconds} seconds`)
        }
      },
    },
    {
      id: `${prefix}/jti`,
      check({ claims, refuse }) {
        if (typeof claims.jti !== 'string' || claims.jti === '' || claims.jti.length > 512) {
          throw refuse('client_assertion has no jti (a string of 1 to 512 characters)')
        }
      },
    },
    {
      id: `${prefix}/replay`,
      async check({ claims, ids, issuedBy, repeatable, refuse }) {
        if (repeatable) return
        const expiresAt = (numeric(claims, 'exp') ?? nowSeconds() + maxLifetimeSeconds) + clockToleranceSeconds
        if (!(await ids.firstUse(issuedBy, String(claims.jti), expiresAt))) {
          throw refuse('the jti of client_assertion was already used')
        }
      },
    },
  ]
}

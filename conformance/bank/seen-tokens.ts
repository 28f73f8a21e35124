import { decodeProtectedHeader, type JWTPayload } from 'jose'
import type { HttpResponse } from '../http/http.js'
import type { ClientKeys } from '../service/client-keys.js'
import { decrypt } from '../service/decryption.js'
import type { UserData } from './claims.js'

/** A client as far as it tells how its tokens have to be. */
interface Holder {
  clientId: string
  metadata: Readonly<Record<string, unknown>>
  keys: ClientKeys
}

/** What a request to /auth asked, as far as it tells how the tokens that come of it have to be. */
export interface Asked {
  parameters: Readonly<Record<string, string | readonly string[] | undefined>>
  /** What the request object at its request_uri said, where it named one; undefined where what lay there was none that we made. */
  inside?: JWTPayload
  /** Whether the person of every kind of data approved everything, and went the usual way. */
  everythingApproved: boolean
}

/** An answer of POST /token that gave an access token. */
export interface Grant {
  client: Holder
  response: HttpResponse
  /** What was redeemed: the code of a login, a refresh token, or the code of an authorized object. */
  of: 'code' | 'refresh' | 'signing'
  /** By which the code of a login came. */
  asked?: Asked
  /** The scopes that a refresh asked for; absent where it named none. */
  scope?: string
}

/** A JWT as it was told to a client, its signature unseen. */
export interface SeenJwt {
  /** The header of the JWE around it, where there is one. */
  encryption?: Readonly<Record<string, unknown>>
  header: { alg?: string; kid?: string }
  claims: JWTPayload
}

/** The same, with what was in its id_token: undefined where there is none that its client can read. */
export interface SeenGrant extends Grant {
  readonly accessToken: string
  idToken(): Promise<SeenJwt | undefined>
}

/** What was told of a token of a grant: by /token-info that it is live, or by an endpoint of user data. */
export interface SeenUse {
  at: 'token-info' | UserData
  client: Holder
  token: string
  response: HttpResponse
}

/** How many of each are kept, and of how many characters: what a bank sends has no bound of its own. */
const keptAtMost = 2_000
const longestKept = 20_000

/**
 * The tokens that came in a run so far, and what was told of them, whoever asked: a bank that is wrong in a combination which no rule
 * looks at by itself shows it in one that is passed through.
 */
export class SeenTokens {
  readonly #grants = new Map<string, SeenGrant>()
  readonly #uses: SeenUse[] = []
  /** Clients whose record is no longer the one that they registered with. */
  readonly #changed = new Set<string>()

  noteGrant(grant: Grant): void {
    const { response, client } = grant
    const accessToken = response.member('access_token')
    if (response.status !== 200 || typeof accessToken !== 'string' || response.text.length > longestKept) return
    if (this.#grants.size >= keptAtMost) return
    let read: Promise<SeenJwt | undefined> | undefined
    const idToken = () => (read ??= readJwt(response.member('id_token'), client.keys))
    this.#grants.set(accessToken, { ...grant, accessToken, idToken })
  }

  noteUse(use: SeenUse): void {
    const { response } = use
    if (response.status === 200 && response.text.length <= longestKept && this.#uses.length < keptAtMost)
      this.#uses.push(use)
  }

  noteChange(clientId: string): void {
    this.#changed.add(clientId)
  }

  /** Those of clients whose record is the one that they registered with: what a PUT changes is for the rules about it. */
  grants(): readonly SeenGrant[] {
    return [...this.#grants.values()].filter(({ client }) => !this.#changed.has(client.clientId))
  }

  /** What was told of their tokens to the clients that had them, each with the answer that the token came with. */
  uses(at: SeenUse['at']): readonly { use: SeenUse; grant: SeenGrant; kind: 'access_token' | 'refresh_token' }[] {
    const byRefreshToken = new Map(this.grants().map((grant) => [grant.response.member('refresh_token'), grant]))
    return this.#uses.flatMap((use) => {
      const ofAccess = this.#grants.get(use.token)
      const grant = ofAccess ?? byRefreshToken.get(use.token)
      if (use.at !== at || !grant || grant.client.clientId !== use.client.clientId) return []
      if (this.#changed.has(use.client.clientId)) return []
      return [{ use, grant, kind: ofAccess ? ('access_token' as const) : ('refresh_token' as const) }]
    })
  }
}

/** Reads a JWT that a client was given; undefined where it cannot: what is wrong with it is for the rules about it. */
export async function readJwt(jwt: unknown, { encryption: key }: ClientKeys): Promise<SeenJwt | undefined> {
  if (typeof jwt !== 'string' || jwt === '') return undefined
  try {
    const opened = jwt.split('.').length === 5 ? await decrypt(jwt, key) : undefined
    const content = opened ? new TextDecoder().decode(opened.plaintext) : jwt
    const claims: unknown = JSON.parse(Buffer.from(content.split('.')[1] ?? '', 'base64url').toString())
    if (typeof claims !== 'object' || claims === null) return undefined
    return {
      ...(opened && { encryption: { ...opened.protectedHeader } }),
      header: { ...decodeProtectedHeader(content) },
      claims: { ...claims },
    }
  } catch {
    return undefined
  }
}

import { createHmac } from 'node:crypto'
import { callerAddress } from '../caller-address.js'
import { signingFlow } from '../capabilities.js'
import { type Client, type ClientStore, clientNameOf } from '../client.js'
import { nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import { deviceCodeLifetimeSeconds, expiredTokenRememberedSeconds } from '../lifetimes.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { RecordOperation, RecordSeam, Seams } from '../seams.js'
import { runSteps, type Step } from '../steps.js'
import type { ProviderPayload, ProviderRecords } from '../store/provider-records.js'
import type { WaitingLogins } from '../store/waiting-logins.js'
import { type Adapter, type AdapterPayload, errors, Provider } from './library.js'

/**
 * The secret by which our own client authentication (client-authentication.ts) passes a client on to oidc-provider: the
 * library knows every client as client_secret_post with this value, which never leaves the process.
 */
export function internalSecret(key: string, clientId: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(clientId).digest('base64url')
}

/** What oidc-provider has to know of a client; the rest of the record is ours alone. */
function metadata(client: Client, key: string): AdapterPayload {
  const { record } = client
  return {
    client_id: client.clientId,
    client_secret: internalSecret(key, client.clientId),
    token_endpoint_auth_method: 'client_secret_post',
    application_type: 'web',
    client_name: clientNameOf(client),
    redirect_uris: record.redirect_uris,
    // Which response type a client may ask for is checked in front of the library, which knows token as id_token token alone.
    response_types: [
      ...signingFlow.responseTypes,
      ...(record.response_types.includes('token') ? ['id_token token'] : []),
    ],
    grant_types: [...new Set(['authorization_code', 'implicit', ...record.grant_types])],
    // The scopes that a signature brings along are granted whatever the client registered.
    scope: [...new Set([...parseSpaceDelimited(record.scope), 'authorization', ...signingFlow.documentScopes])].join(
      ' ',
    ),
    // Subjects are ours (subjects.ts), so the library takes every client for a pairwise one of a single sector.
    subject_type: 'pairwise',
    sector_identifier_uri: record.sector_identifier_uri ?? record.redirect_uris[0],
    jwks_uri: record.jwks_uri,
    // The library knows no unsigned id_token, and signs none itself (id-token.ts).
    id_token_signed_response_alg:
      record.id_token_signed_response_alg === 'none' ? 'PS512' : record.id_token_signed_response_alg,
    id_token_encrypted_response_alg: record.id_token_encrypted_response_alg,
    id_token_encrypted_response_enc: record.id_token_encrypted_response_enc,
    default_max_age: record.default_max_age,
    require_auth_time: record.require_auth_time,
    default_acr_values: record.default_acr_values,
  } as AdapterPayload
}

class ClientAdapter implements Adapter {
  readonly #clients: ClientStore
  readonly #key: string

  constructor(clients: ClientStore, key: string) {
    this.#clients = clients
    this.#key = key
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const client = await this.#clients.find(id)
    return client && metadata(client, this.#key)
  }

  findByUid = async () => undefined
  findByUserCode = async () => undefined
  upsert = readOnly
  consume = readOnly
  destroy = readOnly
  revokeByGrantId = readOnly
}

async function readOnly(): Promise<never> {
  throw new Error('clients are written by /register only')
}

/** What an operation is done to. */
interface RecordSubject {
  records: ProviderRecords
  model: string
  /** The id of the record, or of the grant. */
  value: string
}

const recordSteps: { readonly [Operation in RecordOperation]: readonly Step<RecordSubject>[] } = {
  consume: [
    {
      id: 'records/use',
      /**
       * The library reads, then uses: whoever loses that race finds it out here, so that a code or token has one winner. What was used
       * stays, so that its second use is known for one and ends what the first one gave.
       */
      async run({ records, model, value }) {
        if (await records.use(model, value)) return
        // AuthorizationCode is the authorization code.
        const what = model.replace(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
        throw new errors.InvalidGrant(`the ${what} was already used`)
      },
    },
  ],
  destroy: [
    {
      id: 'records/end',
      /** The library reads the login that a person goes on with, then ends it: of several that go on at once one does. */
      async run({ records, model, value }) {
        if ((await records.destroy(model, value)) || model !== 'Interaction') return
        throw new errors.SessionNotFound('interaction session not found')
      },
    },
  ],
  revokeByGrantId: [{ id: 'records/end-grant', run: ({ records, model, value }) => records.revokeGrant(model, value) }],
}

/** How long after its expiry a record is still told from an unknown one: RFC 8628 section 3.5, expired_token; AMB-32. */
const rememberedSeconds: Readonly<Record<string, number>> = {
  DeviceCode: deviceCodeLifetimeSeconds,
  AccessToken: expiredTokenRememberedSeconds,
}

class RecordAdapter implements Adapter {
  readonly #records: ProviderRecords
  readonly #seams: Pick<Seams, 'records'>
  readonly #model: string

  constructor(records: ProviderRecords, seams: Pick<Seams, 'records'>, model: string) {
    this.#records = records
    this.#seams = seams
    this.#model = model
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number) {
    const record = await this.#changed(payload as ProviderPayload)
    const remembered = rememberedSeconds[this.#model] ?? 0
    await this.#records.upsert(this.#model, id, record, expiresIn + remembered + graceOf(this.#seamsOf(record)))
  }

  find(id: string) {
    return this.#find('id', id)
  }

  findByUid(uid: string) {
    return this.#find('uid', uid)
  }

  findByUserCode(userCode: string) {
    return this.#find('user_code', userCode)
  }

  consume(id: string) {
    return this.#run('consume', 'id', id)
  }

  destroy(id: string) {
    return this.#run('destroy', 'id', id)
  }

  revokeByGrantId(grantId: string) {
    return this.#run('revokeByGrantId', 'grant_id', grantId)
  }

  /** What the faults make of a record that is to be kept, and of those kept before. */
  async #changed(payload: ProviderPayload): Promise<ProviderPayload> {
    let record = payload
    for (const { kept, clientId } of this.#seams.records(this.#model)) {
      if (!kept || (clientId !== undefined && clientId !== payload.clientId)) continue
      const own = this.#records.keptId(this.#model, String(payload.jti))
      const ofClient = await this.#records.ofClient(this.#model, String(payload.clientId))
      const change = kept(
        record,
        ofClient.map((one) => (one.jti === own ? { ...one, jti: payload.jti } : one)),
      )
      for (const earlier of change.changed ?? []) {
        const left = Number(earlier.exp) - nowSeconds()
        await this.#records.upsert(this.#model, String(earlier.jti), earlier, left)
      }
      for (const earlier of change.ended ?? []) await this.#records.destroy(this.#model, String(earlier.jti))
      record = change.record ?? record
    }
    return record
  }

  async #find(by: 'id' | 'uid' | 'user_code', value: string) {
    const stored = await this.#records.find(this.#model, by, value)
    if (!stored) return undefined
    const found = this.#model === 'RefreshToken' && this.#records.holdsBack ? asUnused(stored) : stored
    const seams = this.#seamsOf(found)
    const late = Number(found.exp) <= nowSeconds()
    return seams.reduce<ProviderPayload | undefined>(
      (record, { found: change }) => (record ? change(record) : record),
      late && seams.length > 0 ? { ...found, exp: Number(found.exp) + graceOf(seams) } : found,
    )
  }

  /** What faults do to a record of this client. */
  #seamsOf({ clientId: owner }: ProviderPayload): RecordSeam[] {
    return this.#seams.records(this.#model).filter(({ clientId }) => clientId === undefined || clientId === owner)
  }

  /** Takes the steps of an operation, save those that a seam of the record's client ignores. */
  async #run(operation: RecordOperation, by: 'id' | 'grant_id', value: string): Promise<void> {
    const ignoring = this.#seams.records(this.#model).filter(({ ignores }) => ignores.includes(operation))
    const record = ignoring.length === 0 ? undefined : await this.#records.find(this.#model, by, value)
    const leavesOut = () => ignoring.some(({ clientId }) => clientId === undefined || clientId === record?.clientId)
    await runSteps(recordSteps[operation], { records: this.#records, model: this.#model, value }, { leavesOut })
  }
}

/** What waits for a person: no more of it than may. */
class WaitingAdapter extends RecordAdapter {
  readonly #waiting: WaitingLogins
  readonly #proxies: readonly string[]

  constructor({ providerRecords, waitingLogins, seams, config }: Kept, model: 'Interaction' | 'Session') {
    super(providerRecords, seams, model)
    this.#waiting = waitingLogins
    this.#proxies = config.trustedProxies
  }

  override async upsert(id: string, payload: AdapterPayload, expiresIn: number) {
    const { params, lastSubmission, result, accountId } = payload
    const { req } = Provider.ctx ?? {}
    // A session in which nobody signed in is what the page for device codes remembers of a browser: of no client's.
    if (accountId === undefined) {
      await this.#waiting.keep({
        id,
        clientId: params ? String(params.client_id) : '',
        caller: req ? callerAddress(req, this.#proxies) : '',
        goneOn: lastSubmission !== undefined || result !== undefined,
        expiresIn,
      })
    }
    await super.upsert(id, payload, expiresIn)
  }

  override async destroy(id: string) {
    await this.#waiting.end(id)
    await super.destroy(id)
  }
}

/**
 * A refresh token as the library sees it while it redeems one: whether it was used is judged in front of the library (endpoints/token.ts),
 * and once more when what it gives is stored. The library would end what the winner of a race was given.
 */
function asUnused({ consumed: _, ...token }: ProviderPayload): ProviderPayload {
  return token
}

/** Seconds for which records are good past their expiry. */
function graceOf(seams: readonly RecordSeam[]): number {
  return Math.max(0, ...seams.map(({ graceSeconds }) => graceSeconds))
}

/** What the adapters keep, and where. */
type Kept = Pick<BankContext, 'clients' | 'config' | 'providerRecords' | 'seams' | 'waitingLogins'>

/** @param key the secret behind {@link internalSecret} */
export function adapterFactory(kept: Kept, key: string): (model: string) => Adapter {
  return (model) => {
    if (model === 'Client') return new ClientAdapter(kept.clients, key)
    if (model === 'Interaction' || model === 'Session') return new WaitingAdapter(kept, model)
    return new RecordAdapter(kept.providerRecords, kept.seams, model)
  }
}

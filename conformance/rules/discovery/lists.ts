import type { ReadingName } from '../../../schemas/editions/index.js'
import { authenticatedBy, type Metadata } from '../../bank/client-metadata.js'
import type { Discovery } from '../../bank/discovery.js'
import { BankFailure } from '../../evidence/failure.js'
import type { Tools } from '../../harness/rule.js'
import { answerTo } from '../support/refusals.js'
import { registersOther } from './undeclared-values.js'

/** A list of the discovery document ("Discovery document"). */
interface DeclaredList {
  values: readonly string[]
  /** What every bank has, or "any" of the values where the specification lets a bank choose. */
  least: readonly string[] | 'any'
  /** Values whose absence is a listed reading of an ambiguity of their own; `undefined` where another rule records which. */
  mayLack?: Record<string, { declared: ReadingName; absent: ReadingName } | undefined>
  /** A registration that uses a value: where the value is left out, the bank refuses it (AMB-35). */
  use?: (value: string) => Metadata
  /** Whether a bank that declares this has no use for the values, and may leave out them or the list. */
  needless?: (discovery: Discovery) => boolean
}

const scopes = [
  'openid',
  'offline_access',
  ...['addresses', 'birthdate', 'birthnumber', 'birthplaceNationality', 'email', 'gender', 'idcards', 'legalstatus'],
  ...['locale', 'maritalstatus', 'name', 'paymentAccounts', 'phonenumber', 'titles', 'updatedat', 'zoneinfo'],
  'verification',
].map((name) => (name === 'openid' || name === 'offline_access' ? name : `profile.${name}`))

const claims = [
  ...['addresses.buildingapartment', 'addresses.city', 'addresses.country', 'addresses.ruian_reference'],
  ...['addresses.street', 'addresses.streetnumber', 'addresses.type', 'addresses.zipcode', 'age', 'birthdate'],
  ...['birthnumber', 'birthplace', 'date_of_death', 'email', 'email_verified', 'family_name', 'gender', 'given_name'],
  ...['idcards.country', 'idcards.description', 'idcards.issue_date', 'idcards.issuer', 'idcards.number'],
  ...['idcards.type', 'idcards.valid_to', 'limited_legal_capacity', 'locale', 'majority', 'maritalstatus'],
  ...['middle_name', 'name', 'nationalities', 'nickname', 'paymentAccounts', 'pep', 'phone_number'],
  ...['phone_number_verified', 'preferred_username', 'primary_nationality', 'sub', 'title_prefix', 'title_suffix'],
  ...['txn', 'updated_at', 'verified_claims.verification', 'zoneinfo'],
]

const tokenResponseType = { declared: ['AMB-11', 'served'], absent: ['AMB-11', 'refused'] } as const

/** The lists of one kind of response: its JWE algorithms, by the registration field that asks for them. */
function encryption(field: string): Record<'alg' | 'enc', DeclaredList> {
  const use = (alg: string, enc?: string) => ({ [`${field}_alg`]: alg, [`${field}_enc`]: enc })
  return {
    alg: { values: ['RSA-OAEP-256'], least: [], use: (value) => use(value) },
    enc: { values: ['A256GCM'], least: [], use: (value) => use('RSA-OAEP-256', value) },
  }
}

const idTokenEncryption = encryption('id_token_encrypted_response')
const userinfoEncryption = encryption('userinfo_encrypted_response')

const lists: Record<string, DeclaredList> = {
  scopes_supported: { values: scopes, least: ['openid'], use: (value) => ({ scope: `openid ${value}` }) },
  acr_values_supported: { values: ['loa2', 'loa3'], least: 'any', use: (value) => ({ default_acr_values: [value] }) },
  response_types_supported: {
    values: ['code', 'token'],
    least: ['code'],
    mayLack: { token: tokenResponseType },
    use: (value) => ({ response_types: ['code', value], grant_types: ['authorization_code', 'implicit'] }),
  },
  response_modes_supported: { values: ['query'], least: ['query'] },
  grant_types_supported: {
    values: ['authorization_code', 'implicit', 'refresh_token'],
    least: ['authorization_code'],
    mayLack: { implicit: tokenResponseType },
    use: (value) => ({ grant_types: ['authorization_code', value] }),
  },
  subject_types_supported: {
    values: ['public', 'pairwise'],
    least: ['pairwise'],
    // AMB-40, recorded by what is about subjects.
    mayLack: { public: undefined },
    use: (value) => ({ subject_type: value }),
  },
  claim_types_supported: { values: ['normal'], least: ['normal'] },
  code_challenge_methods_supported: { values: ['plain', 'S256'], least: [] },
  token_endpoint_auth_methods_supported: {
    values: ['client_secret_post', 'client_secret_jwt', 'private_key_jwt'],
    least: 'any',
    use: authenticatedBy,
  },
  token_endpoint_auth_signing_alg_values_supported: {
    values: ['ES512', 'PS512'],
    least: 'any',
    use: (value) => ({ token_endpoint_auth_signing_alg: value }),
    // No key signs what a secret signs (AMB-10).
    needless: (discovery) =>
      discovery.declared('token_endpoint_auth_methods_supported')?.every((method) => method !== 'private_key_jwt') ??
      false,
  },
  id_token_signing_alg_values_supported: {
    values: ['ES512', 'PS512', 'none'],
    least: 'any',
    mayLack: { none: { declared: ['AMB-9', 'declared'], absent: ['AMB-9', 'refused'] } },
    use: (value) => ({ id_token_signed_response_alg: value }),
  },
  userinfo_signing_alg_values_supported: {
    values: ['ES512', 'PS512'],
    least: 'any',
    use: (value) => ({ userinfo_signed_response_alg: value }),
  },
  request_object_signing_alg_values_supported: { values: ['ES512', 'PS512'], least: [] },
  id_token_encryption_alg_values_supported: idTokenEncryption.alg,
  id_token_encryption_enc_values_supported: idTokenEncryption.enc,
  userinfo_encryption_alg_values_supported: userinfoEncryption.alg,
  userinfo_encryption_enc_values_supported: userinfoEncryption.enc,
  request_object_encryption_alg_values_supported: { values: ['RSA-OAEP-256'], least: [] },
  request_object_encryption_enc_values_supported: { values: ['A256GCM'], least: [] },
  claims_supported: { values: claims, least: ['sub'] },
}

/**
 * Expects these lists to hold what the table has. A bank may declare less (AMB-35): then what it leaves out is seen to be refused at
 * registration, where the target lets the harness register.
 */
export async function expectDeclared(tools: Tools, members: readonly string[]): Promise<void> {
  let subset = false
  for (const member of members) {
    const list = lists[member]
    if (!list) throw new Error(`${member} is in no table`)
    const absent = await absentValues(tools, member, list)
    for (const value of absent) await expectRefused(tools, member, value, list.use?.(value))
    for (const [value, own] of Object.entries(list.mayLack ?? {})) {
      if (own) tools.reading(...(absent.includes(value) ? own.absent : own.declared))
    }
    if (absent.some((value) => !(value in (list.mayLack ?? {})))) subset = true
  }
  tools.reading('AMB-35', subset ? 'subset' : 'table')
}

/** The values that a list leaves out. */
async function absentValues({ bank, expect, note }: Tools, member: string, list: DeclaredList): Promise<string[]> {
  const discovery = await bank.discovery()
  const { values, least } = list
  const where = `${member} of the discovery document`
  const needless = list.needless?.(discovery) ?? false
  if (discovery.member(member) === undefined && (least.length === 0 || needless)) {
    note(`${member} is left out`)
    return needless ? [] : [...values]
  }
  const found = expect(discovery.member(member), where, discovery.response).toBeFilledArray()
  for (const element of found) expect(element, `an element of ${where}`, discovery.response).toBeText()
  if (needless) return []
  const absent = values.filter((value) => !found.includes(value))
  if (least === 'any') {
    const described = `a list with one of ${values.join(', ')}`
    expect(found, where, discovery.response).toSatisfy(
      (elements) => values.some((value) => elements.includes(value)),
      described,
    )
  } else for (const value of least) expect(found, where, discovery.response).toContain(value)
  if (absent.length > 0) note(`${member} lacks ${absent.join(', ')}`)
  return absent
}

async function expectRefused(
  { bank, service }: Tools,
  member: string,
  value: string,
  use: Metadata | undefined,
): Promise<void> {
  if (!use || !service.signer || !service.server) return
  const response = await answerTo(bank, use)
  const [field = ''] = Object.entries(use).find(([, wanted]) => JSON.stringify(wanted)?.includes(value)) ?? []
  if (response.status >= 400 || registersOther(response, field, value)) return
  throw new BankFailure({
    sentence: `${member} does not declare ${value}, yet the bank registers a client with ${field} ${value}`,
    expected: `${value} declared, or refused at registration`,
    actual: `status ${response.status}, ${field} ${value}`,
    where: `${member} of the discovery document`,
    evidence: response.evidence,
  })
}

import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { type Claims, type Person, withAge } from '../../fixtures/people.js'
import { validate } from '../../schemas/index.js'
import { advanceClock } from '../clock.js'
import type { LogEntry } from '../log.js'
import { bankForFile, bankForTest } from '../testing/banks.js'

type Endpoint = 'userinfo' | 'profile'

const scopes = [
  'profile.addresses',
  'profile.birthdate',
  'profile.birthnumber',
  'profile.birthplaceNationality',
  'profile.email',
  'profile.gender',
  'profile.idcards',
  'profile.legalstatus',
  'profile.locale',
  'profile.maritalstatus',
  'profile.name',
  'profile.paymentAccounts',
  'profile.phonenumber',
  'profile.titles',
  'profile.updatedat',
  'profile.verification',
  'profile.zoneinfo',
]
const everything = ['openid', ...scopes].join(' ')

const log: LogEntry[] = []

const { bank, service, client } = await bankForFile(
  {},
  { scope: everything, profile_encrypted_response_alg: 'RSA-OAEP-256' },
  (entry) => log.push(entry),
)

const get = (endpoint: Endpoint | string, token: string) =>
  service.http('get', `/${endpoint}`).set('authorization', `Bearer ${token}`)

async function opened(endpoint: Endpoint, token: string) {
  const answer = await get(endpoint, token)
  // RFC 7519 section 10.3.1: the type has no parameters.
  expect(answer.get('content-type')).toBe('application/jwt')
  const jws = await service.decrypt(answer.text)
  const { body } = await service.http('get', '/.well-known/jwks.json')
  return (await jwtVerify(jws, createLocalJWKSet(body), { algorithms: ['PS512'] })).payload
}

async function tokenOf(person: string, scope = everything): Promise<string> {
  return (await service.login(client, scope, person)).body.access_token
}

/** The claims named, as far as they are there. */
function only(claims: object, names: string[]) {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => names.includes(name)))
}

/** What the tables of the specification make of a person, all scopes granted. */
function expected({ claims, verified }: Person): Record<Endpoint, object> {
  const aged = withAge(claims, new Date())
  const addressMembers = 'type street buildingapartment streetnumber city zipcode country ruian_reference'.split(' ')
  return {
    userinfo: only(
      aged,
      'name given_name family_name middle_name nickname preferred_username email email_verified phone_number phone_number_verified birthdate zoneinfo locale updated_at'.split(
        ' ',
      ),
    ),
    profile: {
      ...only(
        aged,
        'given_name family_name middle_name title_prefix title_suffix gender birthdate age date_of_death birthnumber birthplace primary_nationality nationalities maritalstatus idcards paymentAccounts email phone_number updated_at majority pep limited_legal_capacity'.split(
          ' ',
        ),
      ),
      ...(claims.addresses && { addresses: claims.addresses.map((address) => only(address, addressMembers)) }),
      verified_claims: { verification: verified.verification },
    },
  }
}

const kept = (claims: object) => {
  const { sub, txn, iss, aud, ...others } = claims as Record<string, unknown>
  return others
}

test('DATA-12: everybody has at both endpoints what the tables say, by the schema, each in their own way', async () => {
  const signedIn = bank.people.all().filter(({ behaviour }) => behaviour === undefined)
  expect(signedIn.length).toBeGreaterThanOrEqual(15)
  const subjects = new Set<unknown>()
  for (const person of signedIn.filter(({ accounts }) => accounts === undefined)) {
    const token = await tokenOf(person.login)
    for (const endpoint of ['userinfo', 'profile'] as const) {
      const payload = await opened(endpoint, token)
      expect([person.login, validate(endpoint, payload)]).toEqual([person.login, []])
      expect([payload.iss, payload.aud]).toEqual([bank.issuer, client.client_id])
      expect({ login: person.login, ...kept(payload) }).toEqual({ login: person.login, ...expected(person)[endpoint] })
      subjects.add(payload.sub)
    }
  }
  expect(subjects.size).toBe(signedIn.filter(({ accounts }) => accounts === undefined).length)
})

test('an account has a subject and claims of its own', async () => {
  const accounts = bank.people.byLogin('martin')?.accounts ?? []
  const identities = accounts.map(({ id }) => bank.people.byId(id))
  expect(identities.map((one) => [one?.login, one?.claims.email])).toEqual([
    ['martin', 'martin.kucera@example.com'],
    ['martin', 'info@kucera-stavby.example.com'],
  ])
})

test('each endpoint is signed and encrypted by its own algorithms, in every declared combination', async () => {
  for (const signed of ['PS512', 'ES512']) {
    for (const encrypted of ['RSA-OAEP-256', undefined]) {
      const other = signed === 'PS512' ? 'ES512' : 'PS512'
      const mixed = await service.client({
        userinfo_signed_response_alg: signed,
        profile_signed_response_alg: other,
        userinfo_encrypted_response_alg: encrypted,
        profile_encrypted_response_alg: encrypted ? undefined : 'RSA-OAEP-256',
      })
      const { access_token } = (await service.login(mixed, 'openid profile.name')).body
      for (const [endpoint, alg, enc] of [
        ['userinfo', signed, encrypted],
        ['profile', other, encrypted ? undefined : 'RSA-OAEP-256'],
      ] as const) {
        const { text } = await get(endpoint, access_token)
        const jws = enc ? await service.decrypt(text) : text
        if (enc) expect(decodeProtectedHeader(text)).toMatchObject({ alg: enc, enc: 'A256GCM', cty: 'JWT' })
        expect(decodeProtectedHeader(jws)).toMatchObject({ alg, typ: 'JWT' })
      }
    }
  }
})

test('the txn is a new UUID for each call, with the scopes of the token', async () => {
  const token = await tokenOf('petr', 'openid profile.titles profile.email')
  const [first, second] = [await opened('profile', token), await opened('profile', token)]
  expect(first.txn).toMatch(/^[0-9a-f-]{36}:openid:profile\.titles:profile\.email$/)
  expect(second.txn).not.toBe(first.txn)
  expect(Object.keys(first).sort()).toEqual(['aud', 'iss', 'sub', 'txn'])
})

test('basic_register=true is answered for those whom the register confirms', async () => {
  const [living, dead] = [await tokenOf('jana'), await tokenOf('bohumil')]
  expect((await get('profile?basic_register=true', living)).status).toBe(200)
  const refused = await get('profile?basic_register=true', dead)
  expect([refused.status, refused.body]).toEqual([
    500,
    { error: 'user_not_eligible', error_description: 'the basic register does not confirm the person' },
  ])
  expect((await get('profile', dead)).status).toBe(200)
})

test('a bank of other readings serves what they say', async () => {
  const readings = {
    'AMB-6': 'verified-email',
    'AMB-7': 'no-claim',
    'AMB-50': 'published-too',
    'AMB-32': 'forbidden',
  } as const
  const { service: there } = await bankForTest({ readings })
  const client = await there.client({ scope: everything, userinfo_encrypted_response_alg: undefined })
  const claimsAt = async (endpoint: Endpoint, scope: string) => {
    const { access_token } = (await there.login(client, scope)).body
    const { text } = await there.http('get', `/${endpoint}`).set('authorization', `Bearer ${access_token}`)
    return JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
  }
  const email = await claimsAt('userinfo', 'openid profile.email')
  expect([email.email_verified, email.verified_email]).toEqual([undefined, true])
  expect(email.verified_claims).toEqual({ verification: expect.any(Object), claims: {} })
  const titled = await claimsAt('profile', 'openid profile.email profile.titles')
  expect(Object.keys(kept(titled)).sort()).toEqual(['title_prefix', 'title_suffix', 'verified_claims'])
  const whole = await claimsAt('profile', everything)
  expect([whole.birthcountry, whole.addresses[0].cityarea]).toEqual(['CZ', 'Dejvice'])
  expect(whole.paymentAccountsDetails).toHaveLength(2)
  expect(Object.keys(whole.verified_claims.claims)).not.toContain('name')
  expect(whole.verified_claims.claims).toMatchObject({ birthcountry: 'CZ', given_name: 'Jana' })
  const { access_token } = (await there.login(client, 'openid profile.idcards')).body
  const refused = await there.http('get', '/userinfo').set('authorization', `Bearer ${access_token}`)
  expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope'])
})

test('neither the log nor a refusal tells anything of a person', async () => {
  const token = await tokenOf('thao')
  await opened('userinfo', token)
  await opened('profile', token)
  const refusals = await Promise.all([get('profile', 'unknown'), get('userinfo', `${token}x`)])
  const person = bank.people.byLogin('thao')
  const strings = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap((inner) => strings(inner))
  const personal = strings(person?.claims).filter((text) => text.length > 3)
  expect(personal.length).toBeGreaterThan(20)
  const logged = JSON.stringify([log, refusals.map(({ body, headers }) => [body, headers])])
  expect([...personal, token, 'thao'].filter((text) => logged.includes(text))).toEqual([])
})

// Last: the clock of this file's world is moved.
describe('when time passes', () => {
  test('DATA-20: an expired access token is refused; age and majority follow the clock', async () => {
    const token = await tokenOf('adela')
    const minor = (await opened('profile', token)) as Partial<Claims> & Record<string, unknown>
    expect([minor.age, minor.majority]).toEqual([17, false])
    advanceClock(3590)
    expect((await get('profile', token)).status).toBe(200)
    advanceClock(20)
    for (const endpoint of ['userinfo', 'profile']) {
      const late = await get(endpoint, token)
      expect([late.status, late.body.error]).toEqual([401, 'invalid_token'])
      expect(late.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
    }
    advanceClock(24 * 3600)
    const grown = await opened('profile', await tokenOf('adela'))
    expect([grown.age, grown.majority]).toEqual([18, true])
  })
})

import { formatViolation, type SchemaName, schemaNames, validate } from './index.js'

const person = { login: 'Jana', id: 7, claims: { 'a/b~c': 1 } }
const key = { kty: 'RSA', kid: 'a', use: 'sig', alg: 'PS512', n: 'AQAB', e: 'AQAB' }
const field = { key: '', value: '', priority: 1 }
const hash = '0'.repeat(128)

test.each<[string, SchemaName, unknown, string, string]>([
  ['a missing member', 'error', { error: 'a' }, '/error_description', 'error_description is missing.'],
  ['the whole value', 'error', [], '', 'The value must be an object, but is a list.'],
  [
    'a type',
    'registration-record',
    { client_name: null },
    '/client_name',
    'client_name must be a string, but is null.',
  ],
  [
    'one of two types',
    'health',
    { outage_description: 1 },
    '/outage_description',
    'outage_description must be a string or null, but is a number.',
  ],
  [
    'a fraction',
    'registration-record',
    { default_max_age: 1.5 },
    '/default_max_age',
    'default_max_age must be a whole number, but is a fraction.',
  ],
  [
    'an item',
    'registration-record',
    { contacts: ['a@example.com', 'b'] },
    '/contacts/1',
    'contacts[1] must be an e-mail address.',
  ],
  ['allowed values', 'health', { status: 'UP' }, '/status', 'status must be one of OK, ERROR, OUTAGE.'],
  [
    'one allowed value',
    'profile',
    { verified_claims: { verification: { trust_framework: 'eidas' } } },
    '/verified_claims/verification/trust_framework',
    'trust_framework must be cz_aml.',
  ],
  [
    'an unknown member',
    'health',
    { details: { db: {} } },
    '/details/db',
    'db is not a known member; known are dynamic-registration, oidc-core, revoke, kyc.',
  ],
  ['a forbidden member', 'key-set', { keys: [{ ...key, d: 'AQAB' }] }, '/keys/0/d', 'd must not be here.'],
  [
    'a pattern',
    'person',
    person,
    '/login',
    'login is not of the required form: What is typed to sign in: lower-case letters, digits and hyphens.',
  ],
  [
    'a member that a pointer has to escape',
    'person',
    person,
    '/claims/a~1b~0c',
    'a/b~c is not a known member; known are name, ',
  ],
  ['an emptiness', 'registration-record', { redirect_uris: [] }, '/redirect_uris', 'redirect_uris must not be empty.'],
  ['a bound', 'registration-record', { default_max_age: -1 }, '/default_max_age', 'default_max_age must be 0 or more.'],
  [
    'too many',
    'document-objects',
    { documents: Array(11).fill(null) },
    '/documents',
    'documents must have at most 10 items.',
  ],
  [
    'too long',
    'document-objects',
    { envelope_name: 'n'.repeat(26) },
    '/envelope_name',
    'envelope_name must have at most 25 characters.',
  ],
  ['equal items', 'person', { kinds: ['a', 'b', 'a'] }, '/kinds', 'kinds has the same item twice, at 0 and at 2.'],
  [
    'equal members of items',
    'sign-object',
    { fields: [field, field], signObject_hash: hash },
    '/fields',
    'fields has items with the same priority.',
  ],
  [
    'one of several members',
    'user-stat-request',
    {},
    '',
    'The value is not of the required form: idpSub or sepSub is filled.',
  ],
  [
    'a combination',
    'structured-scope',
    { documentObject: 1, documentObjects: 1 },
    '',
    'The value is not of the required form: documentObject and documentObjects are never together.',
  ],
])('tells %s', (_thing, name, value, path, message) => {
  expect(validate(name, value)).toContainEqual(
    expect.objectContaining({ path, message: expect.stringContaining(message) }),
  )
})

test('tells a place whole, and the known members once', () => {
  const unknown = validate('attestations', { one: {}, two: {} }).map((violation) =>
    formatViolation(violation, 'the file'),
  )
  expect(unknown).toEqual([
    'one is not a known member; known are JWKS-8, CONS-8, TOK-30, TOK-31, SIGN-25.',
    'two is not a known member.',
  ])
  const nested = validate('structured-scope', { signObject: { fields: [{}], signObject_hash: 'x' } })
  expect(nested.map((violation) => formatViolation(violation, 'the body'))).toContain(
    'signObject.fields.0.key is missing.',
  )
  expect(validate('error', []).map((violation) => formatViolation(violation, 'the body'))).toEqual([
    'the body must be an object, but is a list.',
  ])
})

test('tells each thing once', () => {
  for (const name of schemaNames) {
    const found = validate(name, { allOf: 1 }).map((violation) => JSON.stringify(violation))
    expect(found).toEqual([...new Set(found)])
  }
})

test('never tells a value', () => {
  const secret = 'correct horse battery staple'
  const found = [
    ...validate('registration-response', { client_secret: [secret], scope: `${secret}  ` }),
    ...validate('person', { password: [secret], login: secret }),
  ]
  expect(found.length).toBeGreaterThan(3)
  expect(JSON.stringify(found)).not.toContain('horse')
})

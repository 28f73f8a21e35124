import { schemaNames } from '../index.js'
import { openEdition, type ReadingName } from './index.js'

const { ambiguities, endpoints, messages, requirementOf, readingOf, readingsOf, bearsOn } = openEdition('1.2')

test('the endpoints are those of the tables "Exposed by the bank" and "Exposed by the service"', () => {
  const table = endpoints.map(({ at, methods, path, authentication }) => [
    at,
    `${methods.join(', ')} ${path}`,
    authentication,
  ])
  expect(table).toEqual([
    ['bank', 'GET /.well-known/openid-configuration', 'none'],
    ['bank', 'GET /.well-known/jwks.json', 'none'],
    ['bank', 'GET /healthcheck', 'none'],
    ['bank', 'POST /register', 'registration'],
    ['bank', 'GET, PUT, DELETE /register/{client_id}', 'registration-access-token'],
    ['bank', 'GET /auth', 'none'],
    ['bank', 'POST /token', 'client'],
    ['bank', 'POST /token-info', 'client-or-access-token'],
    ['bank', 'POST /revoke', 'client-or-access-token'],
    ['bank', 'GET /userinfo', 'end-user-access-token'],
    ['bank', 'GET /profile', 'end-user-access-token'],
    ['bank', 'POST /ros', 'signing'],
    ['bank', 'GET /authorize', 'not-shown'],
    ['service', 'POST /back-channel/logout', 'none'],
    ['service', 'POST /notify', 'none'],
    ['service', 'POST /user-stat-data', 'bank-assertion'],
  ])
})

test('discovery gives the addresses that the table "Discovery document" names', () => {
  const named = endpoints.flatMap(({ path, discovery }) => (discovery === undefined ? [] : [[discovery, path]]))
  expect(Object.fromEntries(named)).toEqual({
    jwks_uri: '/.well-known/jwks.json',
    authorization_endpoint: '/auth',
    token_endpoint: '/token',
    introspection_endpoint: '/token-info',
    userinfo_endpoint: '/userinfo',
    profile_endpoint: '/profile',
  })
})

test('the messages are those of "Resources and their fields" and of the payload columns, each with its schema', () => {
  const table = messages.map(({ schema, request, response, within, form, grant, parameter }) => [
    schema,
    ...(request ? [`request of ${request.join(', ')}`] : []),
    ...(response ? [`response of ${response.join(', ')}`] : []),
    ...(within ? [`within ${within.join(', ')}`] : []),
    ...[form, grant, parameter].filter((detail) => detail !== undefined),
  ])
  expect(table).toEqual([
    ['discovery', 'response of GET /.well-known/openid-configuration', 'json'],
    ['key-set', 'response of GET /.well-known/jwks.json', 'json'],
    ['health', 'response of GET /healthcheck', 'json'],
    ['registration-record', 'within registration-request, registration-response'],
    ['registration-request', 'request of POST /register, PUT /register/{client_id}', 'json'],
    ['registration-response', 'response of POST /register', 'json'],
    ['token-response', 'response of POST /token', 'json', 'authorization_code'],
    ['refresh-response', 'response of POST /token', 'json', 'refresh_token'],
    ['introspection-response', 'response of POST /token-info', 'json'],
    ['userinfo', 'response of GET /userinfo', 'jwt'],
    ['profile', 'response of GET /profile', 'jwt'],
    ['error', 'response of POST /register, GET /auth, POST /token', 'json'],
    ['request-object', 'request of POST /ros', 'jwt'],
    ['structured-scope', 'within request-object'],
    ['sign-object', 'within structured-scope'],
    ['document-object', 'within structured-scope, document-objects'],
    ['document-objects', 'within structured-scope'],
    ['logout-token', 'request of POST /back-channel/logout', 'parameter', 'logout_token'],
    ['notification-token', 'request of POST /notify', 'parameter', 'notification_token'],
    ['user-stat-request', 'request of POST /user-stat-data', 'json'],
    ['user-stat-response', 'response of POST /user-stat-data', 'json'],
  ])
  expect(messages.filter(({ schema }) => !schemaNames.includes(schema))).toEqual([])
})

test('the ambiguities are AMB-1 to AMB-72, AMB-76, AMB-78, AMB-79 and AMB-80', () => {
  const numbers = [...Array.from({ length: 72 }, (_, i) => i + 1), 76, 78, 79, 80]
  expect(ambiguities.map(({ id }) => id)).toEqual(numbers.map((number) => `AMB-${number}`))
})

test('our bank can take every reading but these', () => {
  const others = ambiguities.flatMap(({ readings }) => readings.filter(({ bank }) => !bank))
  expect(others.map(({ ambiguity, id }) => `${ambiguity} ${id}`)).toEqual([
    'AMB-30 in-target-file',
    'AMB-35 subset',
    'AMB-36 other-addresses',
    'AMB-38 not-served',
    'AMB-59 ok',
    'AMB-65 whole-host',
    'AMB-65 own-address',
  ])
})

test('a reading is found by its names', () => {
  const first = { ambiguity: 'AMB-15', id: 'ok', level: 'pass', bank: true, text: '200' }
  const second = { ambiguity: 'AMB-15', id: 'created', level: 'warn', bank: true, text: '201' }
  expect(readingOf('AMB-15', 'ok')).toEqual(first)
  expect(readingsOf('AMB-15')).toEqual([first, second])
  expect(readingOf('AMB-2', 'not-found').level).toBe('warn')
})

test('a reading that is not listed is an error of the compiler', () => {
  const named = (...names: ReadingName) => names.join(' ')
  expect(named('AMB-2', 'redirect')).toBe('AMB-2 redirect')
  // @ts-expect-error It is a reading of another ambiguity.
  named('AMB-2', 'created')
  // @ts-expect-error Readings have no numbers.
  named('AMB-2', 2)
  // @ts-expect-error There is no such ambiguity.
  named('AMB-99', 'page')
})

test('an ambiguity bears on the requirements that it is about, and on those that accept it', () => {
  expect(bearsOn('AMB-2', requirementOf('AUTH-5'))).toBe(true)
  expect(bearsOn('AMB-2', requirementOf('AUTH-4'))).toBe(false)
  // Only the ambiguity names the requirement, and only the requirement the ambiguity.
  expect(bearsOn('AMB-41', requirementOf('SUB-4'))).toBe(true)
  expect(bearsOn('AMB-57', requirementOf('HEALTH-4'))).toBe(true)
  expect(bearsOn('AMB-99', requirementOf('AUTH-5'))).toBe(false)
})

test('what is missing is reported with what there is', () => {
  expect(() => requirementOf('TOK-999')).toThrow('Edition 1.2 has no requirement TOK-999.')
  expect(() => readingOf('AMB-2', '2')).toThrow(
    "Edition 1.2 has no reading '2' of AMB-2. Its readings are page, redirect, not-found.",
  )
  expect(() => readingOf('AMB-99', 'page')).toThrow('Edition 1.2 has no ambiguity AMB-99.')
  expect(() => readingsOf('AMB-99')).toThrow('Edition 1.2 has no ambiguity AMB-99.')
})

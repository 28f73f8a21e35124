import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'
import { operations } from './operations/index.js'

const { bank, client, service } = await bankForFile({ control: true })

interface Described {
  operationId: string
  parameters?: { name: string; in: string; required: boolean; schema: object; example: unknown }[]
  requestBody?: { content: { 'application/json': { schema: object; example: object } } }
  responses: Record<string, { content: { 'application/json': { schema: object; example: unknown } } }>
}

interface Document {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Described>>
}

const { body: document } = await door<Document>(bank, '/openapi.json')

/** Each operation as the document describes it. */
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
)

/** A validator of its own, which compiles what the document says and nothing of ours. */
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true })
ajvFormats.default(ajv)

function problems(schema: object | undefined, value: unknown): unknown {
  const check = ajv.compile(schema ?? {})
  return check(value) ? [] : check.errors
}

/** The schema and the example of what an operation answers. */
const answerOf = ({ responses }: Described) => responses['200']?.content['application/json']

/** What each operation is sent here, by its id: the values of its path in the address. A new operation gets a row. */
const calls: Record<string, () => Promise<[path: string, body?: object]>> = {
  registerClient: async () => ['/clients', { redirect_uris: ['https://app.example/cb'], client_name: 'Shop' }],
  listClients: async () => ['/clients'],
  removeClient: async () => {
    const { client_id } = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
    return [`/clients/${client_id}/remove`, {}]
  },
  listConsents: async () => ['/consents'],
  withdrawConsent: async () => {
    await service.login(client, 'openid', 'petr')
    return ['/consents/withdraw', { login: 'petr', client: client.client_id }]
  },
  listTokens: async () => ['/tokens'],
  endTokens: async () => {
    await service.login(client, 'openid', 'petr')
    const { body } = await door<{ family: string }[]>(bank, '/tokens')
    return ['/tokens/end', { family: body[0]?.family }]
  },
  listSessions: async () => ['/sessions'],
  endSession: async () => {
    await service.login(client, 'openid', 'petr')
    const { body } = await door<{ session: string }[]>(bank, '/sessions')
    return ['/sessions/end', { session: body[0]?.session }]
  },
  showRequest: async () => {
    await service.login(client, 'openid', 'petr')
    return [`/requests/${bank.requests.last('POST /token')?.id}`]
  },
  logIn: async () => {
    const { client_id } = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
    return ['/logins', { client_id, login: 'petr', scope: 'openid profile.name', consent: ['profile.name'] }]
  },
  mintTokens: async () => ['/tokens', { client_id: client.client_id, login: 'jana', expires_in: -60 }],
  listRequests: async () => ['/requests?route=GET%20/auth'],
  waitForRequest: async () => {
    await service.login(client, 'openid', 'petr')
    return ['/requests/wait', { route: 'POST /token', timeout_seconds: 1 }]
  },
  clearRequests: async () => ['/requests/clear', {}],
  listSnapshots: async () => ['/snapshots'],
  takeSnapshot: async () => ['/snapshots', {}],
  restoreSnapshot: async () => ['/snapshots/restore', await bank.snapshot()],
  listTroubles: async () => ['/troubles'],
  addTrouble: async () => ['/troubles', { route: 'GET /profile', status: 503, times: 2, client: client.client_id }],
  clearTroubles: async () => ['/troubles/clear', {}],
  showClock: async () => ['/clock'],
  changeClock: async () => ['/clock', { advance_seconds: 1 }],
  listPeople: async () => ['/people'],
  showPerson: async () => ['/people/jana'],
  changePerson: async () => ['/people/jana', { claims: { nickname: 'Jani' } }],
  createPerson: async () => ['/people', { login: 'ota', like: 'jana', claims: { nickname: 'Oto' } }],
  deletePerson: async () => ['/people/simona/delete', {}],
  showNextLogin: async () => {
    await bank.nextLogin('karel', { outcome: 'unfinished' })
    return ['/people/karel/next-login']
  },
  setNextLogin: async () => ['/people/zuzana/next-login', { claims: { nickname: 'Zu' }, outcome: 'not-eligible' }],
  listDevices: async () => ['/devices'],
  blockDevice: async () => {
    await service.login(client, 'openid')
    const { body } = await door<{ device: string }[]>(bank, '/devices')
    return [`/devices/${body[0]?.device}`, { blocked: true }]
  },
  listOutcomes: async () => ['/outcomes'],
  setOutcome: async () => ['/outcomes', { client: client.client_id, outcome: 'not-eligible' }],
  listFaults: async () => ['/faults?about=scope'],
  switchFault: async () => ['/faults', { id: 'token/scope-missing', on: true, client: client.client_id }],
  listOutages: async () => ['/outages'],
  announceOutage: async () => ['/outages', { part: 'revoke', reason: 'maintenance' }],
  endOutage: async () => ['/outages/end', { part: 'revoke' }],
  listKeys: async () => ['/keys'],
  rotateKeys: async () => ['/keys/rotate', { alg: 'ES512' }],
  listOutbox: async () => ['/outbox'],
  retryOutbox: async () => ['/outbox', { retry: true }],
}

/** What asks others, or takes away what the other calls need: events/statistics.test.ts and snapshots.test.ts call it. */
const calledElsewhere = ['askStatistics', 'reset']

test('the document describes each operation, at the address of the door', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers).toEqual([{ url: bank.control?.url }])
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(operations.map(({ id }) => id).sort())
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(
    [...Object.keys(calls), ...calledElsewhere].sort(),
  )
})

test.each(described)('$method $path: its examples are as its schemas say', (operation) => {
  const sent = operation.requestBody?.content['application/json']
  expect(problems(sent?.schema, sent?.example)).toEqual([])
  for (const { schema, example } of operation.parameters ?? []) expect(problems(schema, example ?? '')).toEqual([])
  expect(problems(answerOf(operation)?.schema, answerOf(operation)?.example)).toEqual([])
})

test.each(described.filter(({ operationId }) => operationId in calls))(
  '$method $path: what is asked and answered is as its schemas say',
  async (operation) => {
    const [path, body] = (await calls[operation.operationId]?.()) ?? ['']
    const template = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    expect([path.split('?')[0], body === undefined ? 'get' : 'post']).toEqual([
      expect.stringMatching(template),
      operation.method,
    ])
    expect(problems(operation.requestBody?.content['application/json'].schema, body)).toEqual([])
    const answer = await door(bank, path, body)
    expect([answer.status, problems(answerOf(operation)?.schema, answer.body)]).toEqual([200, []])
  },
)

test('a refusal is as its schema says', async () => {
  const answer = await door(bank, '/clock', { advance_seconds: 'x' })
  const schema = described[0]?.responses[answer.status]?.content['application/json'].schema
  expect([answer.status, problems(schema, answer.body)]).toEqual([400, []])
})

import { BankError } from '../../errors.js'
import type { RequestEntry } from '../../request-history.js'
import { checkRoute } from '../asked-requests.js'
import type { Operation } from '../operation.js'

const text = { type: 'string' }
const parameters = {
  type: 'object',
  additionalProperties: { anyOf: [text, { type: 'array', items: text }] },
}
const route = {
  ...text,
  pattern: '^[A-Z]+ /',
  description: 'A method and a path below the address, such as POST /token.',
}

const message = {
  headers: { type: 'object', additionalProperties: text },
  form: parameters,
  json: { description: 'Where the body is JSON.' },
  text,
  truncated: { const: true, description: 'The body was longer than what is kept of it.' },
  jwts: {
    type: 'array',
    description: 'What was found in it: opened, not verified; without claims where it is encrypted.',
    items: {
      type: 'object',
      required: ['at', 'jwt', 'header'],
      properties: {
        at: text,
        jwt: { ...text, description: 'As it came.' },
        header: { type: 'object' },
        claims: { type: 'object' },
        key: { ...text, description: 'Of one request: whose key verifies it, or decrypts it.' },
        problem: { ...text, description: 'Of one request: why no key does.' },
        inside: { type: 'object', description: 'Of one request: what was encrypted in it, opened likewise.' },
      },
    },
  },
}

/** A request and its answer. */
export const entry = {
  type: 'object',
  required: ['id', 'at', 'method', 'path', 'query', 'headers', 'jwts', 'milliseconds'],
  properties: {
    id: { type: 'integer' },
    at: { ...text, format: 'date-time' },
    method: text,
    path: text,
    query: parameters,
    ...message,
    client: { ...text, description: 'The client_id of who asked, where the bank came to know it.' },
    refusal: {
      type: 'object',
      description:
        'Why it was refused, where it was: the error that was answered, or that the client is told by a redirect.',
      required: ['error'],
      properties: {
        error: text,
        error_description: text,
        check: { ...text, description: 'Name of the check that refused, where it was one of a table.' },
        detail: { ...text, description: 'What exactly was wrong, where the caller is not told.' },
      },
    },
    answer: {
      type: 'object',
      description: 'Absent where the caller went away before there was one.',
      required: ['status', 'headers', 'jwts'],
      properties: { status: { type: 'integer' }, ...message },
    },
    milliseconds: { type: 'integer' },
    replica: {
      ...text,
      description: 'Where several share a store: the one that it came to. Each remembers its own alone.',
    },
  },
}

export const exampleEntry: RequestEntry = {
  id: 7,
  at: '2026-01-31T08:32:09.000Z',
  method: 'POST',
  path: '/revoke',
  query: {},
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  form: { token: 'a-token', client_id: '0b6c1d2e', client_secret: 'a-secret' },
  jwts: [],
  client: '0b6c1d2e',
  answer: { status: 200, headers: { 'content-length': '0' }, jwts: [] },
  milliseconds: 3,
}

export const listRequests: Operation<{ route?: string }, readonly RequestEntry[]> = {
  id: 'listRequests',
  method: 'get',
  path: '/requests',
  summary:
    'The last 200 requests that the bank got and what it answered, decoded, with the secrets in them; those of a route, or all.',
  input: { properties: { route } },
  output: { type: 'array', items: entry },
  example: { input: { route: 'POST /revoke' }, output: [exampleEntry] },
  run(bench, { route }) {
    checkRoute(bench, route)
    return bench.context.history.list(route)
  },
}

/** Seconds for which a request may be waited for. */
export const longestWait = 60

const wait: Operation<{ route: string; after?: number; timeout_seconds?: number }, RequestEntry> = {
  id: 'waitForRequest',
  method: 'post',
  path: '/requests/wait',
  summary:
    'The first request of a route that came after another: at once where it is there, else when it was answered.',
  input: {
    required: ['route'],
    properties: {
      route,
      after: {
        type: 'integer',
        description: 'id of the request that it comes after; default: any that is remembered will do.',
      },
      timeout_seconds: { type: 'number', minimum: 0, maximum: longestWait, description: 'Default: 5.' },
    },
  },
  output: entry,
  example: { input: { route: 'POST /revoke', timeout_seconds: 5 }, output: exampleEntry },
  async run(bench, { route, after = 0, timeout_seconds: timeoutSeconds = 5 }) {
    checkRoute(bench, route)
    return bench.context.history.waitFor(route, { after, timeoutSeconds }).catch((error: Error) => {
      throw new BankError('not_found', error.message, { cause: error })
    })
  },
}

export const clearRequests: Operation<object, object> = {
  id: 'clearRequests',
  method: 'post',
  path: '/requests/clear',
  summary: 'Forgets the requests that came.',
  input: { properties: {} },
  output: { type: 'object' },
  example: { input: {}, output: {} },
  run({ context }) {
    context.history.clear()
    return {}
  },
}

export const requestOperations = [listRequests, wait, clearRequests]

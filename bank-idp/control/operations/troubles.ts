import { BankError } from '../../errors.js'
import { isServed } from '../../is-served.js'
import { didYouMean } from '../../nearest.js'
import type { Trouble } from '../../troubles.js'
import type { Bench, Operation } from '../operation.js'
import { servedRoutes } from '../served-routes.js'
import { checkClient } from './outcomes.js'

const text = { type: 'string' }

const members = {
  route: { ...text, pattern: '^[A-Z]+ /', description: 'A method and a path below the address, such as POST /token.' },
  client: { ...text, description: 'The one client_id that it concerns, where the bank comes to know who asks.' },
  times: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'How many answers it concerns; default: 1.' },
  status: { type: 'integer', minimum: 200, maximum: 599, description: "In place of the bank's, without its body." },
  body: { ...text, description: "In place of the bank's." },
  delay_seconds: { type: 'number', minimum: 0, maximum: 600, description: "Of the machine's time." },
  broken: {
    enum: ['reset', 'truncated', 'garbled'],
    description:
      'The connection is reset in place of an answer, or in the midst of its body; or the body is bytes that mean nothing.',
  },
}

const list = { type: 'array', items: { type: 'object', required: ['route', 'times'], properties: members } }

const example: Trouble = { route: 'POST /token', status: 503, times: 2 }

export const listTroubles: Operation<object, readonly Trouble[]> = {
  id: 'listTroubles',
  method: 'get',
  path: '/troubles',
  summary: 'What answers are to have wrong, with how many times are left.',
  input: { properties: {} },
  output: list,
  example: { input: {}, output: [example] },
  run: ({ context }) => context.troubles.list(),
}

/** @throws {BankError} invalid_request where nobody would ever meet the trouble */
async function checkMet(bench: Bench, { route, client }: Trouble): Promise<void> {
  const routes = servedRoutes(bench.app)
  if (!isServed(route.replace(/^HEAD /, 'GET '), routes)) {
    throw new BankError('invalid_request', `route: nothing is served at ${route}${didYouMean(route, routes)}`)
  }
  if (client !== undefined) await checkClient(bench, client)
}

export const addTrouble: Operation<Trouble, readonly Trouble[]> = {
  id: 'addTrouble',
  method: 'post',
  path: '/troubles',
  summary:
    'Has the next answers at a route come late, broken, with another status or body. What was asked is done all the same.',
  input: { required: ['route'], properties: members },
  output: list,
  example: { input: example, output: [example] },
  async run(bench, trouble) {
    const { context } = bench
    const { route: _, client: __, times: ___, ...wrong } = trouble
    if (Object.keys(wrong).length === 0) {
      throw new BankError('invalid_request', 'give one of status, body, delay_seconds, broken')
    }
    if (!context.config.bench) throw new BankError('invalid_request', 'this bank is no bench: it makes no trouble')
    await checkMet(bench, trouble)
    await context.troubles.add(trouble)
    return context.troubles.list()
  },
}

export const clearTroubles: Operation<object, object> = {
  id: 'clearTroubles',
  method: 'post',
  path: '/troubles/clear',
  summary: 'No answer has anything wrong any more.',
  input: { properties: {} },
  output: { type: 'object' },
  example: { input: {}, output: {} },
  async run({ context }) {
    await context.troubles.clear()
    return {}
  },
}

export const troubleOperations = [listTroubles, addTrouble, clearTroubles]

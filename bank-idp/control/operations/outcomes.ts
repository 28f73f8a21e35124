import { callbackMessages, type LoginOutcome } from '../../callback-messages.js'
import { BankError } from '../../errors.js'
import { clientIds } from '../../store/clients.js'
import type { Bench, Operation } from '../operation.js'
import { unregistered } from '../unknown-client.js'

/** An outcome that is set for the next login of a client. */
export interface OutcomeAnswer {
  client: string
  outcome: LoginOutcome
}

const outcomes = Object.keys(callbackMessages) as LoginOutcome[]

const output = {
  type: 'array',
  items: {
    type: 'object',
    required: ['client', 'outcome'],
    properties: { client: { type: 'string', description: 'A client_id.' }, outcome: { enum: outcomes } },
  },
}

const example: OutcomeAnswer[] = [{ client: '0b6c1d2e', outcome: 'not-eligible' }]

/** @throws {BankError} invalid_request when no such client is registered */
export async function checkClient({ context, store }: Bench, clientId: string): Promise<void> {
  if (await context.clients.find(clientId)) return
  throw new BankError('invalid_request', unregistered(clientId, await clientIds(store())))
}

export const listOutcomes: Operation<object, OutcomeAnswer[]> = {
  id: 'listOutcomes',
  method: 'get',
  path: '/outcomes',
  summary: 'The outcomes that are set and not used yet.',
  input: { properties: {} },
  output,
  example: { input: {}, output: example },
  run: ({ context }) => context.forcedOutcomes.list(),
}

export const setOutcome: Operation<{ client: string; outcome: LoginOutcome | null }, OutcomeAnswer[]> = {
  id: 'setOutcome',
  method: 'post',
  path: '/outcomes',
  summary: 'Makes the next login of a client end without a code, whoever signs in; null unsets it.',
  input: {
    required: ['client', 'outcome'],
    properties: { client: { type: 'string', description: 'A client_id.' }, outcome: { enum: [...outcomes, null] } },
  },
  output,
  example: { input: { client: '0b6c1d2e', outcome: 'not-eligible' }, output: example },
  async run(bench, { client, outcome }) {
    const { forcedOutcomes } = bench.context
    await checkClient(bench, client)
    if (outcome === null) await forcedOutcomes.take(client)
    else await forcedOutcomes.set(client, outcome)
    return forcedOutcomes.list()
  },
}

export const outcomeOperations = [listOutcomes, setOutcome]

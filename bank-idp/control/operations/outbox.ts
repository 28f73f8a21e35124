import { BankError } from '../../errors.js'
import type { OutboxEntry } from '../../store/outbox.js'
import type { Operation } from '../operation.js'

export const listOutbox: Operation<object, OutboxEntry[]> = {
  id: 'listOutbox',
  method: 'get',
  path: '/outbox',
  summary: 'The logouts and notifications that are not delivered yet, and those that were given up.',
  input: { properties: {} },
  output: {
    type: 'array',
    items: {
      type: 'object',
      required: ['kind', 'receiver', 'events', 'attempts'],
      properties: {
        jti: { type: 'string' },
        kind: { type: 'string' },
        receiver: { type: 'string' },
        events: { type: 'integer' },
        attempts: { type: 'integer' },
        next: { type: 'string', description: 'When it is tried next; absent when it was given up.' },
        problem: { type: 'string' },
      },
    },
  },
  example: {
    input: {},
    output: [
      {
        jti: 'b1a2',
        kind: 'notification',
        receiver: 'https://app.example/notify',
        events: 1,
        attempts: 3,
      } as OutboxEntry,
    ],
  },
  run: ({ context }) => context.outbox.list(),
}

export const retryOutbox: Operation<{ retry: string | true }, { events: number }> = {
  id: 'retryOutbox',
  method: 'post',
  path: '/outbox',
  summary: 'Sends what was given up again: one event by its jti, or with true all.',
  input: {
    required: ['retry'],
    properties: { retry: { description: 'A jti, or true.', anyOf: [{ type: 'string' }, { const: true }] } },
  },
  output: { type: 'object', required: ['events'], properties: { events: { type: 'integer' } } },
  example: { input: { retry: true }, output: { events: 2 } },
  async run({ context }, { retry: which }) {
    const events = await context.outbox.retry(which === true ? undefined : which)
    if (events === 0 && which !== true) throw new BankError('not_found', `no event with jti ${which} was given up`)
    return { events }
  },
}

export const outboxOperations = [listOutbox, retryOutbox]

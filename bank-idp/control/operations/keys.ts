import { retentionSeconds } from '../../keys/bank-keys.js'
import { type BankAlgorithm, bankAlgorithms } from '../../keys/jwk.js'
import type { Bench, Operation } from '../operation.js'

/** What is said of one published key; times are ISO 8601. */
export interface KeyAnswer {
  kid: string
  alg: string
  use: string
  made: string
  /** When it stopped signing; null while it is in use. */
  retired: string | null
  /** Until when it stays published; null while it is in use. */
  published_until: string | null
}

const algorithms = Object.keys(bankAlgorithms) as BankAlgorithm[]

const output = {
  type: 'array',
  items: {
    type: 'object',
    required: ['kid', 'alg', 'use', 'made', 'retired', 'published_until'],
    properties: {
      kid: { type: 'string' },
      alg: { enum: algorithms },
      use: { enum: ['sig', 'enc'] },
      made: { type: 'string', format: 'date-time' },
      retired: { type: ['string', 'null'], format: 'date-time', description: 'null while it is in use.' },
      published_until: { type: ['string', 'null'], format: 'date-time', description: 'null while it is in use.' },
    },
  },
}

const example: KeyAnswer[] = [
  { kid: 'k1', alg: 'PS512', use: 'sig', made: '2026-01-31T08:32:09.000Z', retired: null, published_until: null },
]

function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function answer({ context: { keys } }: Bench): KeyAnswer[] {
  return keys.kept().map(({ jwk, createdAt, retiredAt }) => ({
    kid: jwk.kid,
    alg: jwk.alg,
    use: jwk.use,
    made: timestamp(createdAt),
    retired: retiredAt === null ? null : timestamp(retiredAt),
    published_until: retiredAt === null ? null : timestamp(retiredAt + retentionSeconds),
  }))
}

export const listKeys: Operation<object, KeyAnswer[]> = {
  id: 'listKeys',
  method: 'get',
  path: '/keys',
  summary: 'The keys that the bank publishes.',
  input: { properties: {} },
  output,
  example: { input: {}, output: example },
  run: answer,
}

export const rotateKeys: Operation<{ alg?: BankAlgorithm }, KeyAnswer[]> = {
  id: 'rotateKeys',
  method: 'post',
  path: '/keys/rotate',
  summary: 'Puts a new key in place of that of an algorithm, or of each; the former stay published for a time.',
  input: { properties: { alg: { enum: algorithms } } },
  output,
  example: { input: { alg: 'PS512' }, output: example },
  async run(bench, { alg }) {
    await bench.context.keys.rotate(algorithms.filter((one) => alg === undefined || one === alg))
    return answer(bench)
  },
}

export const keyOperations = [listKeys, rotateKeys]

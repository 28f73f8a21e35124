import { BankError, UsageError } from '../../errors.js'
import { matcher } from '../../matches.js'
import { tellFault } from '../../shared-faults.js'
import type { Bench, Operation } from '../operation.js'
import { checkClient } from './outcomes.js'

/** What is said of one fault. */
export interface FaultAnswer {
  id: string
  title: string
  /** Ids of requirements. */
  breaks: readonly string[]
  on: boolean
  /** client_id of the clients it is on for; empty when it is on for all. */
  clients: string[]
}

const output = {
  type: 'array',
  description: 'All faults that there are, or those that were asked about.',
  items: {
    type: 'object',
    required: ['id', 'title', 'breaks', 'on', 'clients'],
    properties: {
      id: { type: 'string' },
      title: { type: 'string' },
      breaks: { type: 'array', items: { type: 'string' }, description: 'Ids of requirements.' },
      on: { type: 'boolean' },
      clients: { type: 'array', items: { type: 'string' }, description: 'The clients it is on for; none: for all.' },
    },
  },
}

const example: FaultAnswer[] = [
  { id: 'token/scope-missing', title: 'Leaves scope out', breaks: ['TOK-2'], on: true, clients: [] },
]

function answer({ context: { faults } }: Bench): FaultAnswer[] {
  return faults.known.map(({ id, title, breaks }) => {
    const active = faults.list().filter(({ fault }) => fault.id === id)
    return { id, title, breaks, on: active.length > 0, clients: active.flatMap(({ clientId }) => clientId ?? []) }
  })
}

/** The faults whose id, title or requirements have each word of a text, whatever its case; a requirement is meant as a whole, no TOK-28 by TOK-2. */
export function faultsAbout<Fault extends Pick<FaultAnswer, 'id' | 'title' | 'breaks'>>(
  faults: readonly Fault[],
  text: string,
): Fault[] {
  const known = new Set(faults.flatMap(({ breaks }) => breaks))
  const words = text.toUpperCase().split(/\s+/)
  const asked = words.filter((word) => known.has(word))
  const matches = matcher(words.filter((word) => !known.has(word)).join(' '))
  return faults.filter(
    ({ id, title, breaks }) =>
      asked.every((requirement) => breaks.includes(requirement)) && matches([id, title, ...breaks].join(' ')),
  )
}

export const listFaults: Operation<{ about?: string }, FaultAnswer[]> = {
  id: 'listFaults',
  method: 'get',
  path: '/faults',
  summary: 'The deviations from the specification that can be switched on, and which are.',
  input: {
    properties: {
      about: { type: 'string', description: 'Those alone whose id, title or requirements have each of its words.' },
    },
  },
  output,
  example: { input: { about: 'TOK-2' }, output: example },
  run: (bench, { about = '' }) => faultsAbout(answer(bench), about),
}

export const switchFault: Operation<{ id: string; on?: boolean; client?: string }, FaultAnswer[]> = {
  id: 'switchFault',
  method: 'post',
  path: '/faults',
  summary: 'Switches a fault on, or with on false off, for all clients or for one.',
  input: {
    required: ['id'],
    properties: {
      id: { type: 'string' },
      on: { type: 'boolean', description: 'Default: true.' },
      client: { type: 'string', description: 'client_id of the one client that it concerns.' },
    },
  },
  output,
  example: { input: { id: 'token/scope-missing', on: true }, output: example },
  async run(bench, { id, on = true, client }) {
    const { faults, shared } = bench.context
    if (on && client !== undefined) await checkClient(bench, client)
    try {
      if (on) faults.on(id, client)
      else faults.off(id, client)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new BankError('invalid_request', error.message, { cause: error })
    }
    await tellFault(shared, id, on, client)
    return answer(bench)
  },
}

export const faultOperations = [listFaults, switchFault]

import { type Person, withAge } from '../../../fixtures/people.js'
import { now } from '../../clock.js'
import { BankError } from '../../errors.js'
import { blockPerson, unblockPerson } from '../../provider/security-risk.js'
import type { Bench, Operation } from '../operation.js'

/** What is said of everyone. */
export type PersonEntry = Pick<Person, 'login' | 'password' | 'kinds' | 'reason'>

/** What is said of one person: all that the bank knows, with the age of the day, and whether the bank lets them in. */
export type PersonAnswer = Person & { blocked: boolean }

interface PersonChange {
  login: string
  claims?: Record<string, unknown>
  blocked?: boolean
}

export const personOutput = {
  type: 'object',
  required: ['id', 'login', 'claims', 'blocked'],
  properties: {
    id: { type: 'string' },
    login: { type: 'string' },
    claims: {
      type: 'object',
      description: 'What the bank knows of the person now, claims by their names on the wire.',
    },
    blocked: { type: 'boolean', description: 'Whether the person is blocked as a security risk.' },
  },
}

export const login = { type: 'string', description: 'A login name.' }

/** The members of a person that an example shows; there are more. */
export const personExample = {
  id: '8f7a',
  login: 'jana',
  claims: { name: 'Mgr. Jana Marie Dvorakova, Ph.D.', email: 'new@example.org' },
  blocked: false,
} as unknown as PersonAnswer

/** @throws {BankError} not_found */
export function personOf({ context }: Bench, login: string): Person {
  return context.people.named(login)
}

export async function answerOf({ context }: Bench, person: Person): Promise<PersonAnswer> {
  const blocked = await context.blocks.isBlocked(person.id)
  return { ...person, claims: withAge(person.claims, new Date(now())), blocked }
}

export const listPeople: Operation<object, PersonEntry[]> = {
  id: 'listPeople',
  method: 'get',
  path: '/people',
  summary: 'The people who can log in, and what each is an example of.',
  input: { properties: {} },
  output: {
    type: 'array',
    items: {
      type: 'object',
      required: ['login', 'password', 'kinds', 'reason'],
      properties: {
        login,
        password: { type: 'string' },
        kinds: { type: 'array', items: { type: 'string' } },
        reason: { type: 'string' },
      },
    },
  },
  example: {
    input: {},
    output: [
      {
        login: 'jana',
        password: 'jana-secret',
        kinds: ['ordinary'] as unknown as PersonEntry['kinds'],
        reason: 'an adult with all data',
      },
    ],
  },
  run: ({ context }) =>
    context.people.all().map(({ login, password, kinds, reason }) => ({ login, password, kinds, reason })),
}

export const showPerson: Operation<{ login: string }, PersonAnswer> = {
  id: 'showPerson',
  method: 'get',
  path: '/people/{login}',
  summary: 'All that the bank knows of a person.',
  input: { required: ['login'], properties: { login } },
  output: personOutput,
  example: { input: { login: 'jana' }, output: personExample },
  run: (bench, { login }) => answerOf(bench, personOf(bench, login)),
}

export const changePerson: Operation<PersonChange, PersonAnswer> = {
  id: 'changePerson',
  method: 'post',
  path: '/people/{login}',
  summary:
    'Changes what the bank knows of a person, and has the clients told that asked for it; or blocks the person as a security risk.',
  input: {
    required: ['login'],
    properties: {
      login,
      claims: { type: 'object', description: 'The claims that change; null takes one away, the others stay.' },
      blocked: { type: 'boolean' },
    },
  },
  output: personOutput,
  example: { input: { login: 'jana', claims: { email: 'new@example.org' } }, output: personExample },
  async run(bench, { login, claims, blocked }) {
    const person = personOf(bench, login)
    if (blocked === undefined && claims === undefined) {
      throw new BankError('invalid_request', 'claims must be an object of claims; null removes a claim')
    }
    if (blocked !== undefined) await (blocked ? blockPerson : unblockPerson)(bench.context, person)
    return answerOf(bench, claims === undefined ? person : await bench.context.claimUpdates.change(login, claims))
  },
}

export const peopleOperations = [listPeople, showPerson, changePerson]

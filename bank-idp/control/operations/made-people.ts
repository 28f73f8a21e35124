import { randomUUID } from 'node:crypto'
import { callbackMessages, type LoginOutcome } from '../../callback-messages.js'
import { nowSeconds } from '../../clock.js'
import { BankError } from '../../errors.js'
import { loginTaken, makePerson, type NewPerson, newPersonSchema } from '../../make-person.js'
import { type NextLogin, withChanges } from '../../next-logins.js'
import { blockPerson, unblockPerson } from '../../provider/security-risk.js'
import { personProblem } from '../../tell-violation.js'
import type { Operation } from '../operation.js'
import { answerOf, login, type PersonAnswer, personExample, personOf, personOutput } from './people.js'

const claims = { type: 'object', description: 'Claims by their names on the wire; null takes one away.' }
const outcomes = Object.keys(callbackMessages) as LoginOutcome[]

export const createPerson: Operation<NewPerson, PersonAnswer> = {
  id: 'createPerson',
  method: 'post',
  path: '/people',
  summary: 'Makes a person who can log in; whatever is left out is as of the person that they are like, or filled in.',
  input: newPersonSchema,
  output: personOutput,
  example: { input: { login: 'ota', like: 'jana', claims: { nickname: 'Oto' } }, output: personExample },
  async run(bench, given) {
    const { madePeople, people } = bench.context
    const person = makePerson(people, given, { id: randomUUID(), updatedAt: nowSeconds() })
    if (!(await madePeople.make(person))) throw loginTaken(person.login)
    people.add(person)
    return answerOf(bench, person)
  },
}

export const deletePerson: Operation<{ login: string }, object> = {
  id: 'deletePerson',
  method: 'post',
  path: '/people/{login}/delete',
  summary: 'Removes a person: all logins and tokens of theirs end, and nobody has the login name any more.',
  input: { required: ['login'], properties: { login } },
  output: { type: 'object' },
  example: { input: { login: 'ota' }, output: {} },
  async run(bench, { login }) {
    const { madePeople, people } = bench.context
    const person = personOf(bench, login)
    const ids = [person.id, ...people.accountsOf(person.id).map(({ id }) => id)]
    // So that their logins end, and that none under way comes to its end, until they are nobody.
    await blockPerson(bench.context, person)
    await madePeople.remove(login, ids)
    await unblockPerson(bench.context, person)
    await people.nextLogins.set(login, {})
    people.remove(login)
    return {}
  },
}

const nextLogin = { type: 'object', properties: { claims, outcome: { enum: outcomes } } }

export const showNextLogin: Operation<{ login: string }, NextLogin> = {
  id: 'showNextLogin',
  method: 'get',
  path: '/people/{login}/next-login',
  summary: 'What is different about the next login of a person, as long as it has not come.',
  input: { required: ['login'], properties: { login } },
  output: nextLogin,
  example: { input: { login: 'jana' }, output: { outcome: 'switched-off' } },
  run: (bench, { login }) => bench.context.people.nextLogins.of(personOf(bench, login).login),
}

export const setNextLogin: Operation<{ login: string } & NextLogin, NextLogin> = {
  id: 'setNextLogin',
  method: 'post',
  path: '/people/{login}/next-login',
  summary:
    'Has the next login of a person, at whatever client, tell other claims for as long as its tokens live, or end without a code when they sign in; with neither it is as all others.',
  input: { required: ['login'], properties: { login, claims, outcome: { enum: outcomes } } },
  output: nextLogin,
  example: {
    input: { login: 'jana', claims: { email: 'once@example.org' } },
    output: { claims: { email: 'once@example.org' } },
  },
  async run(bench, { login, claims: changes, outcome }) {
    const { accounts: _, reckonedFrom: __, ...person } = personOf(bench, login)
    const problem = personProblem({ ...person, claims: withChanges(person.claims, changes ?? {}) })
    if (problem !== undefined) throw new BankError('invalid_request', problem)
    const next = { ...(changes && { claims: changes }), ...(outcome && { outcome }) }
    await bench.context.people.nextLogins.set(login, next)
    return next
  },
}

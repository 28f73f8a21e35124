import { BankError } from '../../errors.js'
import type { Bench, Operation } from '../operation.js'
import { personOf } from './people.js'

/** What a person approved for a client. */
export interface ConsentAnswer {
  /** Login name of the person. */
  login: string
  /** A client_id. */
  client: string
  scopes: string[]
}

const text = { type: 'string' }

const members = {
  login: { ...text, description: 'Login name of the person.' },
  client: { ...text, description: 'A client_id.' },
}

const output = {
  type: 'array',
  items: {
    type: 'object',
    required: ['login', 'client', 'scopes'],
    properties: { ...members, scopes: { type: 'array', items: text } },
  },
}

const example: ConsentAnswer[] = [{ login: 'jana', client: '0b6c1d2e', scopes: ['openid', 'profile.name'] }]

async function answer({ context: { consents, people } }: Bench): Promise<ConsentAnswer[]> {
  return (await consents.all()).map(({ personId, clientId, scopes }) => ({
    login: people.byId(personId)?.login ?? personId,
    client: clientId,
    scopes,
  }))
}

export const listConsents: Operation<object, ConsentAnswer[]> = {
  id: 'listConsents',
  method: 'get',
  path: '/consents',
  summary: 'What people approved for clients, which they are not asked for again.',
  input: { properties: {} },
  output,
  example: { input: {}, output: example },
  run: answer,
}

export const withdrawConsent: Operation<Pick<ConsentAnswer, 'login' | 'client'>, ConsentAnswer[]> = {
  id: 'withdrawConsent',
  method: 'post',
  path: '/consents/withdraw',
  summary: 'Forgets what a person approved for a client, so that the next login asks again. Tokens stay.',
  input: { required: ['login', 'client'], properties: members },
  output,
  example: { input: { login: 'jana', client: '0b6c1d2e' }, output: [] },
  async run(bench, { login, client }) {
    const { consents, people } = bench.context
    const { id } = personOf(bench, login)
    const ids = new Set([id, ...people.accountsOf(id).map((account) => account.id)])
    const withdrawn = await Promise.all([...ids].map((one) => consents.withdraw(one, client)))
    if (!withdrawn.includes(true)) throw new BankError('not_found', `${login} approved nothing for '${client}'`)
    return answer(bench)
  },
}

export const consentOperations = [listConsents, withdrawConsent]

import type { Client } from '../../client.js'
import { clientIds } from '../../store/clients.js'
import type { Bench, Operation } from '../operation.js'
import { unknownClient } from '../unknown-client.js'

/** What is said of a client that is registered. */
export interface ClientAnswer {
  client_id: string
  client_secret: string
  /** ISO 8601. */
  registered: string
  /** As it was registered. */
  record: Record<string, unknown>
}

const text = { type: 'string' }

const output = {
  type: 'object',
  required: ['client_id', 'client_secret', 'registered', 'record'],
  properties: {
    client_id: text,
    client_secret: text,
    registered: { ...text, format: 'date-time' },
    record: { type: 'object', description: 'As it was registered.' },
  },
}

const example: ClientAnswer = {
  client_id: '0b6c1d2e',
  client_secret: 'a-secret',
  registered: '2026-01-31T08:32:09.000Z',
  record: { client_name: 'My client', scope: 'openid profile.name' },
}

function answer({ clientId, clientSecret, issuedAt, record }: Client): ClientAnswer {
  const registered = new Date(issuedAt * 1000).toISOString()
  return { client_id: clientId, client_secret: clientSecret, registered, record }
}

/** Those that are registered now. */
async function known({ context, store }: Bench): Promise<Client[]> {
  const clients = await Promise.all((await clientIds(store())).map((id) => context.clients.find(id)))
  return clients.flatMap((client) => client ?? [])
}

export const listClients: Operation<object, ClientAnswer[]> = {
  id: 'listClients',
  method: 'get',
  path: '/clients',
  summary: 'The clients that are registered, with their records and secrets.',
  input: { properties: {} },
  output: { type: 'array', items: output },
  example: { input: {}, output: [example] },
  run: async (bench) => (await known(bench)).map(answer),
}

export const removeClient: Operation<{ client_id: string }, object> = {
  id: 'removeClient',
  method: 'post',
  path: '/clients/{client_id}/remove',
  summary: 'Forgets a client and all that was granted to it, as DELETE /register/{client_id} does.',
  input: { required: ['client_id'], properties: { client_id: text } },
  output: { type: 'object' },
  example: { input: { client_id: '0b6c1d2e' }, output: {} },
  async run(bench, { client_id }) {
    const { clients } = bench.context
    if (!(await clients.find(client_id))) throw await unknownClient(bench, client_id)
    await clients.remove(client_id)
    return {}
  },
}

export const registeredClientOperations = [listClients, removeClient]

import type { Client } from '../../client.js'
import { BankError } from '../../errors.js'
import type { RequestEntry } from '../../request-history.js'
import { type OpenedJwt, openJwt } from '../open-jwt.js'
import type { Bench, Operation } from '../operation.js'
import { entry, exampleEntry } from './requests.js'

/** A request with its JWTs opened as far as keys are known. */
export type OpenedRequest = Omit<RequestEntry, 'jwts' | 'answer'> & {
  jwts: OpenedJwt[]
  answer?: Omit<NonNullable<RequestEntry['answer']>, 'jwts'> & { jwts: OpenedJwt[] }
}

/** Who asked: the client that the bank came to know, else the one that the request names. */
async function clientOf({ context }: Bench, { client, query, form, jwts }: RequestEntry): Promise<Client | undefined> {
  const named = [client, form?.client_id, query.client_id, ...jwts.flatMap(({ claims }) => [claims?.iss, claims?.sub])]
  for (const id of named) {
    const known = typeof id === 'string' ? await context.clients.find(id) : undefined
    if (known) return known
  }
  return undefined
}

export const showRequest: Operation<{ id: string }, OpenedRequest> = {
  id: 'showRequest',
  method: 'get',
  path: '/requests/{id}',
  summary:
    'One request with its JWTs opened as far as keys are known: whose key verifies each, or decrypts it, and what is inside.',
  input: { required: ['id'], properties: { id: { type: 'string', pattern: '^\\d+$', description: 'A number.' } } },
  output: entry,
  example: { input: { id: '7' }, output: exampleEntry },
  async run(bench, { id }) {
    const found = bench.context.history.list().find((one) => one.id === Number(id))
    if (!found) throw new BankError('not_found', `request ${id} is not remembered: the last 200 are`)
    const client = await clientOf(bench, found)
    const opened = (jwts: RequestEntry['jwts']) => Promise.all(jwts.map((jwt) => openJwt(bench, jwt, client)))
    const { answer } = found
    return {
      ...found,
      ...(client && { client: client.clientId }),
      jwts: await opened(found.jwts),
      ...(answer && { answer: { ...answer, jwts: await opened(answer.jwts) } }),
    }
  },
}

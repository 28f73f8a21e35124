import { type Metadata, preferredMetadata } from './client-metadata.js'
import { keyOf, type Run } from './conversation.js'
import type { Registration } from './registration.js'

/** Something that the clients of a run and its bank agreed on, since the bank declares it or was seen to want it. */
export interface Agreed {
  /** Such as "client authentication". */
  what: string
  value: string
  /** What the harness would rather have registered, where the bank does not declare it. */
  preferred?: string
}

/** What clients register, by what it is about. */
const rows: Readonly<Record<string, readonly string[]>> = {
  'client authentication': ['token_endpoint_auth_method', 'token_endpoint_auth_signing_alg'],
  scopes: ['scope'],
  grants: ['grant_types'],
  subjects: ['subject_type'],
  id_token: ['id_token_signed_response_alg'],
  ...Object.fromEntries(
    ['userinfo', 'profile'].map((endpoint) => [
      endpoint,
      ['signed_response_alg', 'encrypted_response_alg', 'encrypted_response_enc'].map((name) => `${endpoint}_${name}`),
    ]),
  ),
}

/** What a run found out of its bank before it was examined; nothing where no rule needed it. */
export async function agreedIn({ shared, target }: Run): Promise<Agreed[]> {
  const outcome = async <Outcome>(key: string) =>
    (await shared.get(key)?.outcome.catch(() => undefined)) as Outcome | undefined
  const registered = await outcome<Registration>(keyOf('registration', {}))
  const asked = {
    'every login asks': await outcome<object>('wanted parameters'),
    'a login for a refresh token asks': await outcome<object>('offline parameters'),
  }
  return [
    ...(target.client ? ofRecord(target.client.record) : []),
    ...(registered && !target.client ? ofRecord(registered.request.record, preferredMetadata()) : []),
    ...Object.entries(asked).flatMap(([what, parameters = {}]) => {
      const value = Object.entries(parameters).map((pair) => pair.join('='))
      return value.length > 0 ? [{ what, value: value.join(', '), preferred: 'nothing' }] : []
    }),
  ]
}

function ofRecord(record: Metadata, wanted: Metadata = record): Agreed[] {
  return Object.entries(rows).map(([what, members]) => {
    const [value, preferred] = [record, wanted].map((one) => inWords(members.map((member) => one[member])))
    return { what, value: value || 'not registered', ...(preferred && preferred !== value && { preferred }) }
  })
}

function inWords(values: readonly unknown[]): string {
  return values
    .flat()
    .filter((value) => value !== undefined)
    .join(', ')
}

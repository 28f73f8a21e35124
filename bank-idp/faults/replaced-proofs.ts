import type { Client, RegistrationRecord } from '../client.js'
import { Latest } from '../latest.js'
import type { AssertionFacts, JudgedAssertion } from '../seams.js'
import { type Deviation, type Fault, fault } from './fault.js'
import { assertionIn } from './token-memory.js'

/** Where a client proves who it is, in a bank whose endpoints each keep in mind what they know of a client. */
const endpoints = ['token', 'revoke'] as const

/** What an endpoint knows of a client beside its record. */
interface Known {
  /** The record that a PUT replaced last, with the secret of its client. */
  replaced: Latest<Client>
  /** The keys that assertions of a client named before a PUT. */
  kids: Latest<ReadonlySet<string>>
}

const memory = (): Known => ({ replaced: new Latest(10_000), kids: new Latest(10_000) })

/** Has the store keep a record as it comes, and takes note of the one that it replaces. */
const clients: NonNullable<Deviation<Known>['clients']> = {
  async replace(record: RegistrationRecord, { store, clientId }, { replaced }) {
    const before = await store.find(clientId)
    if (before) replaced.set(clientId, before)
    await store.replace(clientId, record)
  },
}

/** Which assertions are taken though a PUT changed what they are judged by, and what the checks see of them. */
type Judge = (assertion: JudgedAssertion, facts: AssertionFacts, known: Known) => JudgedAssertion

const byFormerAlgorithm: Judge = (assertion, { clientId, algorithms: [registered] }, { replaced }) => {
  const former = replaced.get(clientId)?.record.token_endpoint_auth_signing_alg
  return former === assertion.header.alg && registered !== undefined
    ? { ...assertion, header: { ...assertion.header, alg: registered } }
    : assertion
}

const byFormerKey: Judge = (assertion, { clientId }, { replaced, kids }) => {
  const kid = String(assertion.header.kid)
  const known = kids.get(clientId) ?? new Set()
  if (replaced.has(clientId)) return known.has(kid) ? { ...assertion, believed: true } : assertion
  kids.set(clientId, new Set([...known, kid]))
  return assertion
}

const judged = [
  ['algorithm', 'REG-24', 'token_endpoint_auth_signing_alg', byFormerAlgorithm],
  ['key', 'REG-18', 'jwks_uri', byFormerKey],
] as const

/** What a PUT changed of how a client proves who it is, and what one endpoint goes by as before. */
export const replacedProofFaults: readonly Fault[] = endpoints.flatMap((endpoint) => [
  ...judged.map(([slug, requirement, member, judge]) =>
    fault({
      id: `client-authentication/former-${slug}-at-${endpoint}`,
      breaks: [requirement],
      places: [`endpoint=${endpoint} use=after-put`],
      title: `Goes on to take a client assertion at /${endpoint} by the ${member} that a PUT replaced`,
      memory,
      clients,
      // Of every assertion it takes note, and misjudges those of one endpoint.
      judgedAssertion(assertion, facts, known) {
        const changed = judge(assertion, facts, known)
        return facts.endpoint === `/${endpoint}` ? changed : assertion
      },
    }),
  ),
  fault({
    id: `client-authentication/former-method-at-${endpoint}`,
    breaks: ['REG-37'],
    places: [`endpoint=${endpoint} use=after-put`],
    title: `Goes on to take a client assertion at /${endpoint} from a client that a PUT gave client_secret_post`,
    memory,
    clients,
    request: {
      [`POST /${endpoint}`](form: URLSearchParams, _bank: unknown, { replaced }: Known) {
        const client = replaced.get(form.get('client_id') ?? String(assertionIn(form)?.sub))
        const asserted = form.has('client_assertion') && !form.has('client_secret')
        if (asserted && client?.record.token_endpoint_auth_method === 'private_key_jwt')
          form.set('client_secret', client.clientSecret)
      },
    },
  }),
])

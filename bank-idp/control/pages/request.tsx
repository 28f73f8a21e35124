import { nowSeconds } from '../../clock.js'
import { parseSpaceDelimited } from '../../parse-space-delimited.js'
import type { KeyOwner, OpenedJwt } from '../open-jwt.js'
import { perform } from '../operation.js'
import { type OpenedRequest, showRequest } from '../operations/one-request.js'
import { type ClientAnswer, listClients } from '../operations/registered-clients.js'
import { ClientLink, Pairs, textOf } from './parts.js'
import type { Section } from './view.js'

const owners: Record<KeyOwner, string> = {
  client: "the client's key",
  client_secret: "the client's secret",
  bank: "the bank's key",
  service: "the service's key",
}

/** Claims that are times, in seconds since the epoch. */
const times = ['exp', 'iat', 'nbf', 'auth_time', 'updated_at']

/** A claim as it is read: a time with how far it was from the request. */
function claimText(name: string, value: unknown, at: number): string {
  if (!times.includes(name) || typeof value !== 'number' || !(Math.abs(value) < 8e12)) return textOf(value)
  const seconds = Math.round(value - at)
  const when = seconds < 0 ? `${-seconds} s before the request` : `${seconds} s after the request`
  return `${value} (${new Date(value * 1000).toISOString()}, ${when})`
}

function Jwt({ jwt, at }: { jwt: OpenedJwt; at: number }) {
  const { header, claims, key, problem, inside } = jwt
  const did = jwt.jwt.split('.').length === 5 ? 'Decrypted with' : 'Signature verified with'
  const kid = typeof header.kid === 'string' ? `, kid ${header.kid}` : ', its header names no kid'
  return (
    <section>
      <h3>{jwt.at}</h3>
      {key && (
        <p>
          {did} {owners[key]}
          {kid}
        </p>
      )}
      {problem !== undefined && (
        <p class="alert">
          {problem}
          {kid}
        </p>
      )}
      <h4>Header</h4>
      <Pairs of={header} />
      {claims && (
        <>
          <h4>Claims</h4>
          <Pairs
            of={Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, claimText(name, value, at)]))}
          />
        </>
      )}
      {inside && <Jwt jwt={inside} at={at} />}
      <details>
        <summary>As it came</summary>
        <pre>{jwt.jwt}</pre>
      </details>
    </section>
  )
}

/** A parameter beside what the client registered. */
interface Compared {
  name: string
  sent: string[]
  registered: string[]
  /** What of it was sent and is not registered. */
  unknown: string[]
}

/** The parameters of a request for which the client's record has what they may be, by the member that has it. */
const registeredFor: Record<string, string> = {
  redirect_uri: 'redirect_uris',
  post_logout_redirect_uri: 'post_logout_redirect_uris',
  request_uri: 'request_uris',
  response_type: 'response_types',
  grant_type: 'grant_types',
  scope: 'scope',
}

/** What a request sends, beside what its client registered. */
function compared({ query, form = {} }: OpenedRequest, { record }: ClientAnswer): Compared[] {
  const sent = { ...query, ...form }
  const valuesOf = (name: string, value: unknown) =>
    name === 'scope' ? parseSpaceDelimited(String(value)) : [value].flat().map(String)
  return Object.entries(registeredFor).flatMap(([name, member]) => {
    if (sent[name] === undefined || record[member] === undefined) return []
    const values = valuesOf(name, sent[name])
    const registered = valuesOf(name, record[member])
    return [{ name, sent: values, registered, unknown: values.filter((one) => !registered.includes(one)) }]
  })
}

function Comparison({ rows }: { rows: readonly Compared[] }) {
  const fitting = rows.filter(({ unknown }) => unknown.length === 0).map(({ name }) => name)
  return (
    <>
      {rows
        .filter(({ unknown }) => unknown.length > 0)
        .map(({ name, sent, registered, unknown }) => (
          <section key={name}>
            <h2 class="mismatch">{name} is not one that the client registered</h2>
            <Pairs
              of={{
                sent: sent.join('\n'),
                'not registered': sent.length > 1 ? unknown.join('\n') : undefined,
                registered: registered.join('\n'),
              }}
            />
          </section>
        ))}
      {fitting.length > 0 && <p>As the client registered: {fitting.join(', ')}.</p>}
    </>
  )
}

function Body({ form, json, text, truncated }: Pick<OpenedRequest, 'form' | 'json' | 'text' | 'truncated'>) {
  return (
    <>
      {form && <Pairs of={form} />}
      {json !== undefined && <pre>{textOf(json)}</pre>}
      {text !== undefined && <pre>{text}</pre>}
      {truncated && <p>There was more of it than is kept.</p>}
    </>
  )
}

function Headers({ of }: { of: Readonly<Record<string, string>> }) {
  return (
    <details>
      <summary>Headers</summary>
      <Pairs of={of} />
    </details>
  )
}

/** One request: why it was refused, what it says, and what was answered. */
export const request: Section = {
  path: '/requests/:id',
  async show({ bench }, id) {
    const entry = await perform(showRequest, bench, { id })
    const { at, method, path, query, client, refusal, jwts, answer, milliseconds } = entry
    const clients = await perform(listClients, bench, {})
    const known = clients.find(({ client_id }) => client_id === client)
    const seconds = Number.isFinite(Date.parse(at)) ? Date.parse(at) / 1000 : nowSeconds()
    const found = [...jwts, ...(answer?.jwts ?? []).map((jwt) => ({ ...jwt, at: `answer: ${jwt.at}` }))]
    return {
      title: `${method} ${path}`,
      content: (
        <>
          {refusal && (
            <div class="alert">
              <p>
                <strong>{refusal.error}</strong>
              </p>
              {refusal.error_description !== undefined && <p>{refusal.error_description}</p>}
              {refusal.check !== undefined && (
                <p>
                  The check that refused: <code>{refusal.check}</code>
                </p>
              )}
              {refusal.detail !== undefined && <p>The caller is not told: {refusal.detail}</p>}
            </div>
          )}
          <Pairs
            of={{
              answered: answer ? String(answer.status) : 'The caller went away before there was an answer.',
              'led to': answer?.headers.location,
              came: `${at}, by the bank's clock`,
              took: `${milliseconds} ms`,
            }}
          />
          <p>
            {known ? (
              <>
                By <ClientLink id={known.client_id} name={String(known.record.client_name)} />
              </>
            ) : (
              'No client that is registered is named.'
            )}
          </p>
          {known && <Comparison rows={compared(entry, known)} />}
          {found.length > 0 && (
            <section>
              <h2>JWTs</h2>
              {found.map((jwt) => (
                <Jwt key={jwt.at} jwt={jwt} at={seconds} />
              ))}
            </section>
          )}
          <section>
            <h2>Request</h2>
            <Pairs of={query} />
            <Body {...entry} />
            <Headers of={entry.headers} />
          </section>
          {answer && (
            <section>
              <h2>Answer</h2>
              <Body {...answer} />
              <Headers of={answer.headers} />
            </section>
          )}
        </>
      ),
    }
  },
}

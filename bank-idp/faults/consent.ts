import { LRUCache } from 'lru-cache'
import { BankError } from '../errors.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { ConsentFacts, ResponseFacts, SeamResponse, StoredRecord } from '../seams.js'
import { type Deviation, type Fault, fault } from './fault.js'

/** Mistakes about whose consent it is, to what, and about the boxes by which it is given. */

/** Scopes by whom or what they belong to: the latest thousand. */
type Scopes = LRUCache<string, readonly string[]>

const scopes = (): Scopes => new LRUCache({ max: 1_000 })

const add = (memory: Scopes, name: string, more: readonly string[]): readonly string[] => {
  const all = [...new Set([...(memory.get(name) ?? []), ...more])]
  memory.set(name, all)
  return all
}

const whose = ({ clientId, personId }: ConsentFacts) => `${clientId} ${personId}`

/** The scopes of a grant that were approved, and those that were refused. */
function decided(record: StoredRecord): { approved: string[]; refused: string[]; name: string } {
  const { openid, rejected } = record as { openid?: { scope?: string }; rejected?: { openid?: { scope?: string } } }
  return {
    approved: parseSpaceDelimited(openid?.scope),
    refused: parseSpaceDelimited(rejected?.openid?.scope),
    name: whose({ clientId: String(record.clientId), personId: String(record.accountId) }),
  }
}

/** A grant in which scopes that were refused are approved. */
function approving(record: StoredRecord, more: readonly string[]): StoredRecord {
  if (more.length === 0) return record
  const { approved, refused } = decided(record)
  const left = refused.filter((scope) => !more.includes(scope))
  const { rejected: _, ...others } = record
  return {
    ...others,
    openid: { scope: [...approved, ...more].join(' ') },
    ...(left.length > 0 && { rejected: { openid: { scope: left.join(' ') } } }),
  }
}

/** Approves what was refused, as far as the fault takes it for approved. @param which of the refused scopes */
const refusalApproved = (
  which: (refused: readonly string[], approved: readonly string[], declared: readonly string[]) => readonly string[],
): Pick<Deviation, 'records'> => ({
  records: [
    {
      model: 'Grant',
      kept: (record, { scopes: declared }) => {
        const { approved, refused } = decided(record)
        return { record: approving(record, which(refused, approved, declared)) }
      },
    },
  ],
})

const data = (all: readonly string[]) => all.filter((scope) => scope.startsWith('profile.'))

/** Whether one scope stands before all of some others in the list that the bank declares. */
const before = (declared: readonly string[], one: string, others: readonly string[]) =>
  others.every((other) => declared.indexOf(one) < declared.indexOf(other))

/** For `response` of POST /register: notes the required scopes of a client, under its id. */
const noteRequired = (response: SeamResponse, _bank: unknown, memory: Scopes): SeamResponse => {
  const { client_id, required_scope } = (response.body ?? {}) as Record<string, unknown>
  if (typeof client_id === 'string' && typeof required_scope === 'string')
    memory.set(client_id, parseSpaceDelimited(required_scope))
  return response
}

/** Changes the scopes that a client asks for, by those it requires. */
const asked =
  (change: (requested: string[], required: readonly string[]) => readonly string[]) =>
  (parameters: URLSearchParams, _bank: unknown, memory: Scopes): void => {
    const required = memory.get(parameters.get('client_id') ?? '')
    const requested = parameters.get('scope')?.split(' ') ?? []
    if (required && requested.includes('openid')) parameters.set('scope', change(requested, required).join(' '))
  }

/** For `response` of a page: another consent screen. */
const consentScreen =
  (change: (html: string, declared: readonly string[]) => string) =>
  (response: SeamResponse, { scopes: declared }: ResponseFacts & { scopes: readonly string[] }): SeamResponse =>
    typeof response.body === 'string' && response.body.includes('id="consent"')
      ? { ...response, body: change(response.body, declared) }
      : response

const box = (scope: string) =>
  `<li><label><input type="checkbox" name="scope" value="${scope}" checked/> ${scope}</label></li>`

export const consentMemoryFaults: readonly Fault[] = [
  fault({
    id: 'consent/never-asked',
    breaks: ['CONS-2'],
    places: ['use=first'],
    title: 'Takes a person who never decided anything for a client as having consented to everything',
    consented: (own, { scopes: declared }) => (own.length > 0 ? own : declared),
  }),
  fault({
    id: 'consent/of-another-person',
    breaks: ['CONS-2', 'CONS-3'],
    places: ['use=second-person'],
    title: 'Takes what one person consented to for a client as consented by everybody',
    memory: scopes,
    consented: (own, { clientId }, memory) => add(memory, clientId, own),
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          add(memory, String(record.clientId), decided(record).approved)
          return {}
        },
      },
    ],
  }),
  fault({
    id: 'consent/for-another-client',
    breaks: ['CONS-2'],
    places: ['use=second-client'],
    title: 'Takes what a person consented to for one client as consented for another that registers the same keys',
    memory: scopes,
    consented: (own, { personId }, memory) => (own.length > 0 ? own : (memory.get(personId) ?? own)),
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          memory.set(String(record.accountId), decided(record).approved)
          return {}
        },
      },
    ],
  }),
  fault({
    id: 'consent/refusal-remembered',
    breaks: ['CONS-2'],
    places: ['use=after-refusal'],
    title: 'Remembers a refused scope as a consented one',
    memory: scopes,
    consented: (own, facts, memory) => [...own, ...(memory.get(whose(facts)) ?? [])],
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          const { refused, name } = decided(record)
          add(memory, name, refused)
          return {}
        },
      },
    ],
  }),
  fault({
    id: 'consent/asked-once-for-openid-alone',
    breaks: ['CONS-3'],
    places: ['use=after-put'],
    title: 'Takes the consent to all that a client registered for one to what it registers later',
    memory: scopes,
    consented: (own, { clientId, scopes: declared }, memory) =>
      memory.get(clientId)?.every((scope) => own.includes(scope)) ? declared : own,
    response: {
      'POST /register': (response, _bank, memory) => {
        const { client_id, scope } = (response.body ?? {}) as Record<string, unknown>
        const registered = data(parseSpaceDelimited(String(scope)))
        if (typeof client_id === 'string' && registered.length === 1) memory.set(client_id, registered)
        return response
      },
    },
  }),
  fault({
    id: 'consent/unticked-first',
    breaks: ['CONS-11'],
    places: ['value=first'],
    title: 'Grants an unticked scope that stands before those that are ticked',
    ...refusalApproved((refused, approved, declared) =>
      data(approved).length > 0 ? refused.filter((one) => before(declared, one, data(approved))) : [],
    ),
  }),
  fault({
    id: 'consent/unticked-last',
    breaks: ['CONS-11', 'CONS-6'],
    places: ['value=last', 'endpoint=userinfo', 'endpoint=profile'],
    title: 'Grants an unticked scope that stands behind those that are ticked',
    ...refusalApproved((refused, approved, declared) =>
      data(approved).length > 0 ? refused.filter((one) => !before(declared, one, data(approved))) : [],
    ),
  }),
  fault({
    id: 'consent/all-unticked',
    breaks: ['CONS-11'],
    places: ['value=both'],
    title: 'Grants all scopes where every box was unticked',
    ...refusalApproved((refused, approved) => (data(approved).length === 0 ? refused : [])),
  }),
  fault({
    id: 'consent/unticked-on-refresh',
    breaks: ['CONS-11'],
    places: ['token=access-of-refresh'],
    title: 'Grants an unticked scope on refresh',
    memory: scopes,
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          memory.set(String(record.jti), decided(record).refused)
          return {}
        },
      },
      {
        model: 'AccessToken',
        found: (record, _bank, memory) => {
          const refused = memory.get(String(record.grantId)) ?? []
          if (!String(record.gty).endsWith('refresh_token') || refused.length === 0) return record
          return { ...record, scope: [record.scope, ...refused].join(' ') }
        },
      },
    ],
  }),
  fault({
    id: 'consent/withdrawal-ignored',
    breaks: ['CONS-6'],
    places: ['use=after-refusal'],
    title: 'Grants a scope that was approved once, though it is unticked now',
    memory: scopes,
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          const { approved, refused, name } = decided(record)
          const earlier = memory.get(name) ?? []
          add(memory, name, approved)
          return {
            record: approving(
              record,
              refused.filter((scope) => earlier.includes(scope)),
            ),
          }
        },
      },
    ],
  }),
  fault({
    id: 'consent/withdrawal-forgotten',
    breaks: ['CONS-6'],
    places: ['use=second-login'],
    title: 'Grants a scope that was approved once in a later login, though it was unticked since',
    memory: scopes,
    consented: (own, facts, memory) => add(memory, whose(facts), own),
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          const { approved, name } = decided(record)
          add(memory, name, approved)
          return {}
        },
      },
    ],
  }),
  fault({
    id: 'consent/data-of-earlier-scopes',
    breaks: ['CONS-4'],
    places: ['endpoint=token-info', 'endpoint=userinfo', 'endpoint=profile'],
    title: 'Gives a token of fewer scopes those of the login before in the same session',
    memory: scopes,
    records: [
      {
        model: 'AccessToken',
        kept: (record, { earlier }) => {
          const before = earlier.findLast((one) => one.sessionUid !== undefined && one.sessionUid === record.sessionUid)
          return {
            record: before
              ? { ...record, scope: [...new Set(`${before.scope} ${record.scope}`.split(' '))].join(' ') }
              : record,
          }
        },
      },
    ],
  }),
  fault({
    id: 'consent/required-scope-demanded',
    breaks: ['CONS-7'],
    places: ['value=missing'],
    title: 'Refuses a request without a scope of required_scope',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      'GET /auth': asked((requested, required) => {
        if (required.every((scope) => requested.includes(scope))) return requested
        throw new BankError('invalid_scope', 'a required scope is missing')
      }),
    },
  }),
  fault({
    id: 'consent/required-scope-gained',
    breaks: ['CONS-7'],
    places: ['member=scope'],
    title: 'Adds the scopes of required_scope to every request',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: { 'GET /auth': asked((requested, required) => [...new Set([...requested, ...required])]) },
  }),
  fault({
    id: 'consent/required-scope-lost',
    breaks: ['CONS-7'],
    places: ['value=right'],
    title: 'Does not grant a scope of required_scope, since it was not approved apart',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      'GET /auth': asked((requested, required) =>
        requested.filter((scope) => scope === 'openid' || !required.includes(scope)),
      ),
    },
  }),
  fault({
    id: 'consent/openid-alone-less-again',
    breaks: ['CONS-9'],
    places: ['use=session-login'],
    title: 'Grants openid and the name to a later request for only openid',
    memory: scopes,
    request: {
      'GET /auth': (parameters, _bank, memory) => {
        const name = `${parameters.get('client_id')}`
        if (parameters.get('scope') !== 'openid') return
        if (memory.has(name)) parameters.set('scope', 'openid profile.name')
        memory.set(name, ['openid'])
      },
    },
  }),
  fault({
    id: 'consent/openid-alone-all-or-nothing',
    breaks: ['CONS-9'],
    places: ['value=subset'],
    title: 'Grants a request for openid alone all registered scopes or, where one is unticked, none',
    records: [
      {
        model: 'Grant',
        kept: (record) => {
          const { approved, refused } = decided(record)
          if (data(approved).length <= 3 || refused.length === 0) return {}
          const rejected = {
            openid: { scope: [...refused, ...approved.filter((scope) => scope !== 'openid')].join(' ') },
          }
          return { record: { ...record, openid: { scope: 'openid' }, rejected } }
        },
      },
    ],
  }),
  fault({
    id: 'consent/boxes-of-all-scopes',
    breaks: ['CONS-10'],
    places: ['use=first', 'use=session-login', 'scope=required'],
    title: 'The consent screen has a box for every scope that the bank declares',
    response: {
      'GET /interaction': consentScreen((html, declared) =>
        html.replace(
          '</ul>',
          `${data(declared)
            .filter((scope) => !html.includes(`value="${scope}"`))
            .map(box)
            .join('')}</ul>`,
        ),
      ),
    },
  }),
  fault({
    id: 'consent/required-box-free',
    breaks: ['CONS-5'],
    places: ['scope=required'],
    title: 'Lets a person untick a scope of required_scope',
    clients: {
      create: ({ required_scope: _, ...record }, { store }) =>
        store.create(record as typeof record & { scope: string }),
    },
  }),
  fault({
    id: 'consent/boxes-fixed',
    breaks: ['CONS-5'],
    places: ['scope=optional'],
    title: 'No box of the consent screen can be unticked',
    response: {
      'GET /interaction': consentScreen((html) => html.replaceAll(/ name="scope"/g, ' readonly name="scope"')),
    },
  }),
]

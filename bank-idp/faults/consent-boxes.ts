import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { approving, data, decided, scopes } from './consent-decisions.js'
import { type Deviation, type Fault, fault } from './fault.js'

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

/** Whether one scope stands before all of some others in the list that the bank declares. */
const before = (declared: readonly string[], one: string, others: readonly string[]) =>
  others.every((other) => declared.indexOf(one) < declared.indexOf(other))

/** For `response` of a page: another consent screen. */
const consentScreen =
  (change: (html: string, declared: readonly string[]) => string) =>
  (response: SeamResponse, { scopes: declared }: ResponseFacts & { scopes: readonly string[] }): SeamResponse =>
    typeof response.body === 'string' && response.body.includes('id="consent"')
      ? { ...response, body: change(response.body, declared) }
      : response

const box = (scope: string) =>
  `<li><label><input type="checkbox" name="scope" value="${scope}" checked/> ${scope}</label></li>`

/** Mistakes about the boxes by which consent is given. */
export const consentBoxFaults: readonly Fault[] = [
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
    collateral: { 'token/scope-listed-in-part': 'what is granted is listed' },
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
    id: 'consent/offline-access-unticked',
    breaks: ['CONS-11'],
    places: ['scope=offline_access'],
    title: 'Grants offline_access where it was unticked',
    ...refusalApproved((refused) => refused.filter((one) => one === 'offline_access')),
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
    id: 'consent/required-box-free-again',
    breaks: ['CONS-5'],
    places: ['use=session-login scope=required'],
    title: 'Lets a person untick a scope of required_scope once something was approved',
    memory: () => new Latest<true>(10_000),
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, approved) => {
          approved.set(String(record.clientId), true)
          return {}
        },
      },
    ],
    clients: {
      async find(clientId, { store }, approved) {
        const client = await store.find(clientId)
        if (!client || !approved.has(clientId)) return client
        const { required_scope: _, ...record } = client.record
        return { ...client, record: record as typeof client.record }
      },
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

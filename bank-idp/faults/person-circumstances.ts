import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { BankFacts, ResponseFacts, SeamResponse, StoredRecord } from '../seams.js'
import { type Deviation, type Fault, fault } from './fault.js'
import { assertionIn } from './token-memory.js'

/** Mistakes about some people alone: who have no birth number, or neither address nor number, or are politically exposed. */

interface Memory {
  /** Codes and tokens that were issued, by their value. */
  issued: Latest<StoredRecord>
  /** The last good answer about a code or a token. */
  answers: Latest<SeamResponse>
  /** Tokens that are taken to have ended. */
  ended: Latest<true>
}

const noting = {
  memory: (): Memory => ({ issued: new Latest(10_000), answers: new Latest(10_000), ended: new Latest(10_000) }),
  records: (['AuthorizationCode', 'AccessToken', 'RefreshToken'] as const).map((model) => ({
    model,
    kept(record: StoredRecord, _bank: unknown, { issued }: Memory) {
      issued.set(String(record.jti), record)
      return { record }
    },
  })),
} satisfies Deviation<Memory> & { memory: () => Memory }

type People = Pick<BankFacts, 'people'>

const claimsOf = ({ people }: People, personId: unknown) => people.byId(String(personId))?.claims

const isForeign = (bank: People, personId: unknown) => claimsOf(bank, personId)?.birthnumber === undefined

const hasNoAddress = (bank: People, personId: unknown) => claimsOf(bank, personId)?.email === undefined

const hasNoContact = (bank: People, personId: unknown) =>
  hasNoAddress(bank, personId) && claimsOf(bank, personId)?.phone_number === undefined

/** The host of an address as it is written. */
const writtenHost = (address: unknown) => String(address).split(/[/:?#]+/)[1]

/** Scopes whose claims somebody without address and number has none of. */
const contacts = ['profile.email', 'profile.phonenumber']

const bearerOf = ({ requestHeader }: ResponseFacts) => requestHeader('authorization')?.replace(/^bearer +/i, '') ?? ''

const isActive = ({ body }: SeamResponse) => Object(body).active === true

const inactive = (response: SeamResponse): SeamResponse => ({ ...response, body: { active: false } })

export const personCircumstanceFaults: readonly Fault[] = [
  fault({
    id: 'subjects/sector-as-written-without-address',
    breaks: ['SUB-3'],
    places: ['everywhere'],
    title: 'Takes the host of the redirect URI as it is written for the sector of who has no e-mail address',
    subject(plan, bank) {
      const { record, personId, sector } = plan
      if (sector === undefined || record.sector_identifier_uri !== undefined || !hasNoAddress(bank, personId))
        return plan
      return { ...plan, sector: writtenHost(record.redirect_uris[0]) ?? sector }
    },
  }),
  fault({
    id: 'subjects/sector-uri-whole-of-foreigners',
    breaks: ['SUB-2', 'SUB-10'],
    places: ['use=first', 'everywhere'],
    title: 'Takes the whole sector_identifier_uri for the sector of who has no birth number',
    subject(plan, bank) {
      const { sector_identifier_uri: named } = plan.record
      if (plan.sector === undefined || named === undefined || !isForeign(bank, plan.personId)) return plan
      return { ...plan, sector: String(named) }
    },
  }),
  fault({
    id: 'subjects/person-cut-off',
    breaks: ['SUB-9'],
    places: ['value=long'],
    title: 'Derives subs from the first hundred characters of sector and person',
    subject: (plan) => ((plan.sector ?? '').length > 100 ? { ...plan, personId: 'cut off' } : plan),
  }),
  fault({
    id: 'userinfo/nothing-to-tell-no-content',
    breaks: ['DATA-1'],
    places: ['person=no-contact'],
    title: 'Answers 204 at userinfo where nothing is known of what was asked for',
    ...noting,
    response: {
      'GET /userinfo'(response, facts, { issued }) {
        const { accountId, scope } = issued.get(bearerOf(facts)) ?? {}
        const asked = parseSpaceDelimited(String(scope ?? '')).filter((one) => one !== 'openid')
        const isNothing = asked.length > 1 && asked.every((one) => contacts.includes(one))
        if (response.status >= 300 || !isNothing || !hasNoContact(facts, accountId)) return response
        return { status: 204, headers: {}, body: '' }
      },
    },
  }),
  fault({
    id: 'token/refresh-without-the-empty',
    breaks: ['TOK-21'],
    places: ['value=missing'],
    title: 'Leaves out of a refresh without scope what nothing is known of',
    collateral: {
      'token/independent-logins': 'what a login gave is seen by a refresh without scope too',
      'token/refresh-widened-again': 'a later refresh may have all scopes again by none being named',
      'token/refresh-widened-keeps': 'a refresh token is seen to be usable by a refresh without scope',
    },
    ...noting,
    request: {
      'POST /token'(parameters, bank, { issued }) {
        const record = issued.get(parameters.get('refresh_token') ?? '')
        if (!record || parameters.get('scope') || !hasNoContact(bank, record.accountId)) return
        const scopes = parseSpaceDelimited(String(record.scope))
        parameters.set('scope', scopes.filter((scope) => !contacts.includes(scope)).join(' '))
      },
    },
  }),
  fault({
    id: 'token/refused-refresh-ends-it',
    breaks: ['TOK-45'],
    places: ['use=first', 'member=active'],
    title: 'Ends a refresh token of who has no telephone number when profile.phonenumber is asked of it in vain',
    ...noting,
    response: {
      'POST /token'(response, { form, ...facts }, { issued, ended }) {
        const token = form.get('refresh_token') ?? ''
        const asked = parseSpaceDelimited(form.get('scope') ?? '')
        const isMeant = response.status === 400 && asked.includes('profile.phonenumber')
        if (isMeant && hasNoContact(facts, issued.get(token)?.accountId)) ended.set(token, true)
        return response
      },
      'POST /token-info': (response, { form }, { ended }) =>
        ended.has(form.get('token') ?? '') ? inactive(response) : response,
    },
  }),
  fault({
    id: 'token/code-of-the-exposed-twice',
    breaks: ['TOK-12'],
    places: ['grant=code scope=offline_access'],
    title: 'Answers a code of who is politically exposed a second time as the first',
    ...noting,
    response: {
      'POST /token'(response, { form, ...facts }, { issued, answers }) {
        const code = form.get('code') ?? ''
        if (!claimsOf(facts, issued.get(code)?.accountId)?.pep) return response
        if (response.status < 300) answers.set(code, response)
        return answers.get(code) ?? response
      },
    },
  }),
  fault({
    id: 'introspection/foreigners-as-before',
    breaks: ['INTR-2'],
    places: ['use=after-revocation token=access-of-code', 'use=after-revocation token=access-of-refresh'],
    title: 'Tells of a token of who has no birth number what it told before it was revoked',
    collateral: {
      'revocation/front-channel-token': 'that a token was revoked is seen by introspection',
      'revocation/nameless-assertion-by-secret': 'that a token was revoked is seen by introspection',
    },
    ...noting,
    response: {
      'POST /revoke'(response, { form, ...facts }, { issued, ended }) {
        const token = form.get('token') ?? ''
        const record = issued.get(token)
        if (response.status < 300 && record && isForeign(facts, record.accountId)) ended.set(token, true)
        return response
      },
      'POST /token-info'(response, { form }, { issued, answers, ended }) {
        const token = form.get('token') ?? ''
        if (isActive(response)) answers.set(token, response)
        const isOwn = issued.get(token)?.clientId === (form.get('client_id') ?? assertionIn(form)?.sub)
        return response.status === 200 && isOwn && ended.has(token) ? (answers.get(token) ?? response) : response
      },
    },
  }),
]

import { askedTooSoon, isAskedTooSoon } from '../../bank/health.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

export const record = rule({
  id: 'health/record',
  requirement: 'HEALTH-1',
  places: ['value=empty', 'value=other-type', 'parameter=accept'],
  title: 'The health record is served as JSON without authentication, to who accepts anything too',
  async check({ bank, expect, inVariation, note, reading }) {
    const response = await bank.healthResponse()
    const failing = inTrouble(response)
    expect(response).toHaveStatus(...(failing ? [200, 503] : [200]))
    // A type with +json is JSON too (RFC 6839 section 3.1).
    expect(response).toHaveMediaType('application/json', 'application/health+json')
    const found = expect(response.json, 'the health record', response).toBeObject()
    expect(found.status, 'status of the health record', response).toBeText()
    if (failing) reading('AMB-57', response.status === 200 ? 'ok' : 'service-unavailable')
    await inVariation('a request that accepts anything', async () => {
      const anything = await bank.send({ method: 'GET', url: response.request.url, headers: { accept: '*/*' } })
      if (isAskedTooSoon(anything)) return note(askedTooSoon)
      expect(anything).toHaveStatus(200, 503)
      expect(anything.json, 'the health record', anything).toHaveMembers(['status'])
    })
  },
})

const isString = (value: unknown) => typeof value === 'string'

/** ERROR, or OUTAGE of the published edition (AMB-18). */
function inTrouble(response: HttpResponse): boolean {
  return ['ERROR', 'OUTAGE'].includes(String(response.member('status')))
}

/**
 * A date and a time, with separators or without (ISO 8601-1 sections 5.2.2 and 5.4.2, RFC 3339); with its offset the specification asks for
 * timestamps elsewhere alone.
 */
const timestamp =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?|\d{8}T\d{4}(\d{2}([.,]\d+)?)?)(Z|[+-]\d{2}(:?\d{2})?)?$/

function expectTimestamp({ expect, warn }: Tools, value: unknown, where: string, response: HttpResponse): void {
  const text = expect(value, where, response).toMatch(timestamp, 'an ISO 8601 timestamp')
  if (/T[^Z+-]*$/.test(text)) warn(`${where} has no offset: it is the time of a place that is not told`)
  expect(text, where, response).toSatisfy(isDate, 'a date of the calendar')
}

/** Whether a timestamp is of a day and an hour that there are. */
function isDate(text: string): boolean {
  const extended = text
    .replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?/, (_, year, month, day, hour, minute, second = '00') =>
      [year, month, day].join('-').concat('T', [hour, minute, second].join(':')),
    )
    .replace(',', '.')
    .replace(/([+-]\d{2})(\d{2})?$/, '$1:$2')
    .replace(/:$/, ':00')
  const day = extended.slice(0, 'yyyy-mm-dd'.length)
  // A day that its month does not have is taken for one of the next.
  return Number.isFinite(Date.parse(extended)) && new Date(day).toISOString().startsWith(day)
}

export const status = rule({
  id: 'health/status',
  requirement: 'HEALTH-2',
  title: 'status is OK or ERROR',
  async check({ bank, expect, reading }) {
    const response = await bank.healthRecord()
    const given = expect(response.member('status'), 'status of the health record', response)
    reading('AMB-18', given.toBeOneOf(['OK', 'ERROR', 'OUTAGE']) === 'OUTAGE' ? 'outage' : 'ok-or-error')
  },
})

export const texts = rule({
  id: 'health/texts',
  requirement: 'HEALTH-3',
  places: ['member=description', 'member=version'],
  title: 'description and version are strings',
  async check({ bank, expect }) {
    const response = await bank.healthRecord()
    const description = response.member('description')
    expect(description, 'description of the health record', response).toSatisfy(isString, 'a string')
    expect(response.member('version'), 'version of the health record', response).toBeText()
  },
})

export const outageTold = rule({
  id: 'health/outage-told',
  requirement: 'HEALTH-4',
  title: 'During an outage its reason is given, and its end when it is known',
  async check({ bank, expect, note, skip }) {
    const response = await bank.healthRecord()
    if (!inTrouble(response)) return skip('the bank is not in an outage')
    const end = response.member('outage_planned_until') ?? null
    if (end === null) note('no end of the outage is given, which is right when it is not known')
    expect(response.member('outage_description'), 'outage_description of the health record', response).toBeText()
  },
})

/** An interval, in milliseconds, below which nobody is asked to poll: a smaller number is likely one of seconds. */
const leastPlausible = 1000

export const pollInterval = rule({
  id: 'health/poll-interval',
  requirement: 'HEALTH-5',
  places: ['other-type', 'other-unit', 'missing'].map((value) => `value=${value}`).concat('use=second-call'),
  title: 'poll_interval is a number of milliseconds',
  async check({ bank, expect, warn }) {
    const response = await bank.healthRecord()
    const interval = response.member('poll_interval')
    expect(interval, 'poll_interval of the health record', response).toBeAtLeast(0, 'ms')
    if (Number(interval) < leastPlausible) warn(`poll_interval is ${interval} ms, which may be meant in seconds`)
  },
})

const subSystems = ['dynamic-registration', 'oidc-core', 'revoke', 'kyc']

export const details = rule({
  id: 'health/details',
  requirement: 'HEALTH-6',
  places: ['value=missing', ...subSystems.map((name) => `member=${name}`)],
  title: 'details tells of each of the four sub-systems',
  async check({ bank, expect }) {
    const response = await bank.healthRecord()
    expect(response.member('details'), 'details of the health record', response).toHaveMembers(subSystems)
  },
})

export const outageMembers = rule({
  id: 'health/outage-members',
  requirement: 'HEALTH-8',
  places: ['member=outage_planned_until', 'member=outage_description'],
  title: 'outage_planned_until is an ISO 8601 timestamp or null, outage_description a string or null',
  async check(tools) {
    const { bank, expect, note } = tools
    const response = await bank.healthRecord()
    for (const member of ['outage_planned_until', 'outage_description']) {
      if (!Object.hasOwn(Object(response.json), member)) note(`${member} is left out, which is taken for null`)
      const where = `${member} of the health record`
      const value = response.member(member) ?? null
      const given = expect(value, where, response).toSatisfy((it) => it === null || isString(it), 'a string or null')
      if (member === 'outage_planned_until' && given !== null) expectTimestamp(tools, given, where, response)
    }
  },
})

export const subSystemRecords = rule({
  id: 'health/sub-systems',
  requirement: 'HEALTH-9',
  places: [
    'value=unknown',
    ...['status', 'description', 'version', 'time'].map((member) => `member=${member}`),
    'use=second-call',
  ],
  title: 'details has no other sub-systems than the four, each with status, description, version and time',
  async check(tools) {
    const { bank, expect, skip, warn } = tools
    const response = await bank.healthRecord()
    const given = response.member('details')
    if (given === undefined) return skip('details is left out (see HEALTH-6)')
    const found = expect(given, 'details of the health record', response).toBeObject()
    for (const [name, entry] of Object.entries(found)) {
      const where = `${name} in details of the health record`
      expect(name, 'a name in details of the health record', response).toBeOneOf(subSystems)
      const subSystem = expect(entry, where, response).toBeObject()
      const said = expect(subSystem.status, `status of ${where}`, response).toBeOneOf(['OK', 'ERROR', 'OUTAGE'])
      // As of the whole bank (AMB-18).
      if (said === 'OUTAGE') warn(`status of ${where} is OUTAGE, which is the published edition's word for ERROR`)
      expect(subSystem.description, `description of ${where}`, response).toSatisfy(isString, 'a string')
      expect(subSystem.version, `version of ${where}`, response).toBeText()
      expectTimestamp(tools, subSystem.time, `time of ${where}`, response)
    }
  },
})

export const time = rule({
  id: 'health/time',
  requirement: 'HEALTH-10',
  title: 'time is an ISO 8601 timestamp',
  async check(tools) {
    const response = await tools.bank.healthRecord()
    expectTimestamp(tools, response.member('time'), 'time of the health record', response)
  },
})

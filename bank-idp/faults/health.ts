import { body, byNameAlone, fault, omit } from './fault.js'

const route = 'GET /healthcheck'

/** Changes members of the record. */
function telling(change: (record: Record<string, unknown>) => Record<string, unknown>) {
  return { [route]: body((record) => ({ ...record, ...change(record) })) }
}

/** Changes the entry of each sub-system. */
function eachSubSystem(change: (entry: Record<string, unknown>) => Record<string, unknown>) {
  return telling(({ details }) => ({
    details: Object.fromEntries(
      Object.entries(details as Record<string, Record<string, unknown>>).map(([name, entry]) => [name, change(entry)]),
    ),
  }))
}

export const healthFaults = [
  fault({
    id: 'health/not-acceptable',
    breaks: ['HEALTH-1'],
    places: ['parameter=accept'],
    title: 'The health record is served to who asks for JSON by name alone',
    response: { [route]: byNameAlone },
  }),
  fault({
    id: 'health/plain-text',
    breaks: ['HEALTH-1'],
    places: ['value=other-type'],
    title: 'The health record is the word OK in plain text',
    response: { [route]: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' }) },
  }),
  fault({
    id: 'health/no-content',
    breaks: ['HEALTH-1'],
    places: ['value=empty'],
    title: 'Health is 204 without a record',
    response: { [route]: () => ({ status: 204, headers: {}, body: '' }) },
  }),
  fault({
    id: 'health/in-list',
    breaks: ['HEALTH-1'],
    places: ['value=other-type'],
    title: 'Health is a list of one record',
    response: { [route]: (response) => ({ ...response, body: [response.body] }) },
  }),
  fault({
    id: 'health/no-status',
    breaks: ['HEALTH-1', 'HEALTH-2'],
    places: ['value=empty'],
    title: 'Leaves out status',
    response: { [route]: body((record) => omit(record, 'status')) },
  }),
  fault({
    id: 'health/up',
    breaks: ['HEALTH-2'],
    title: 'Says UP where OK is meant',
    response: telling(() => ({ status: 'UP' })),
  }),
  fault({
    id: 'health/version-number',
    breaks: ['HEALTH-3'],
    places: ['member=version'],
    title: 'Gives the version as a number',
    response: telling(() => ({ version: 1.2 })),
  }),
  fault({
    id: 'health/no-description',
    breaks: ['HEALTH-3'],
    places: ['member=description'],
    title: 'Leaves out description',
    response: { [route]: body((record) => omit(record, 'description')) },
  }),
  fault({
    id: 'health/silent-outage',
    breaks: ['HEALTH-4'],
    title: 'Is in an outage and does not say why',
    response: telling(() => ({ status: 'ERROR', outage_planned_until: null, outage_description: null })),
  }),
  fault({
    id: 'health/interval-as-text',
    breaks: ['HEALTH-5'],
    places: ['value=other-type'],
    title: 'Gives poll_interval with its unit',
    response: telling(({ poll_interval }) => ({ poll_interval: `${poll_interval} ms` })),
  }),
  fault({
    id: 'health/no-details',
    breaks: ['HEALTH-6'],
    places: ['value=missing'],
    title: 'Does not tell of its sub-systems',
    response: { [route]: body((record) => omit(record, 'details')) },
  }),
  fault({
    id: 'health/empty-end',
    breaks: ['HEALTH-8'],
    places: ['member=outage_planned_until'],
    title: 'Gives an empty text where there is no end of an outage',
    response: telling(() => ({ outage_planned_until: '' })),
  }),
  fault({
    id: 'health/end-in-seconds',
    breaks: ['HEALTH-8'],
    places: ['member=outage_planned_until'],
    title: 'Gives the end of an outage in seconds since the epoch',
    response: telling(() => ({ outage_planned_until: 1_790_000_000 })),
  }),
  fault({
    id: 'health/outage-list',
    breaks: ['HEALTH-8'],
    places: ['member=outage_description'],
    title: 'Gives the reasons of outages as a list',
    response: telling(() => ({ outage_description: [] })),
  }),
  fault({
    id: 'health/other-sub-system',
    breaks: ['HEALTH-9'],
    places: ['value=unknown'],
    title: 'Tells of a sub-system that only this bank knows',
    response: telling(({ details }) => {
      const entries = details as Record<string, unknown>
      return { details: { ...entries, 'core-banking': entries['oidc-core'] } }
    }),
  }),
  fault({
    id: 'health/sub-systems-in-list',
    breaks: ['HEALTH-6', 'HEALTH-9'],
    places: ['value=missing', 'value=unknown'],
    title: 'Tells of its sub-systems in a list',
    response: telling(({ details }) => ({
      details: Object.entries(details as object).map(([name, entry]) => ({ name, ...entry })),
    })),
  }),
  fault({
    id: 'health/sub-systems-in-a-word',
    breaks: ['HEALTH-9'],
    places: ['member=status'],
    title: 'Tells of its sub-systems whether they work, and nothing else',
    response: telling(({ details }) => ({
      details: Object.fromEntries(Object.keys(details as object).map((name) => [name, 'OK'])),
    })),
  }),
  fault({
    id: 'health/sub-system-without-version',
    breaks: ['HEALTH-9'],
    places: ['member=version'],
    title: 'The sub-systems have no version',
    response: eachSubSystem((entry) => omit(entry, 'version')),
  }),
  fault({
    id: 'health/time-in-words',
    breaks: ['HEALTH-10'],
    title: 'Gives the time as HTTP does',
    response: telling(({ time }) => ({ time: new Date(String(time)).toUTCString() })),
  }),
  fault({
    id: 'health/time-of-no-day',
    breaks: ['HEALTH-10'],
    title: 'Gives a day as the time that no calendar has',
    response: telling(({ time }) => ({ time: String(time).replace(/-\d\d-\d\dT/, '-02-31T') })),
  }),
  fault({
    id: 'health/time-in-seconds',
    breaks: ['HEALTH-10'],
    title: 'Gives the time in seconds since the epoch',
    response: telling(({ time }) => ({ time: Math.floor(Date.parse(String(time)) / 1000) })),
  }),
  fault({
    id: 'health/interval-in-seconds',
    breaks: ['HEALTH-5'],
    places: ['value=other-unit'],
    title: 'Gives poll_interval in seconds',
    response: telling(({ poll_interval }) => ({ poll_interval: Number(poll_interval) / 1000 })),
  }),
  fault({
    id: 'health/no-interval',
    breaks: ['HEALTH-5'],
    places: ['value=missing'],
    title: 'Leaves out poll_interval',
    response: { [route]: body((record) => omit(record, 'poll_interval')) },
  }),
  ...['dynamic-registration', 'oidc-core', 'revoke', 'kyc'].map((name) =>
    fault({
      id: `health/${name}-untold`,
      breaks: ['HEALTH-6'],
      places: [`member=${name}`],
      title: `Does not tell of its sub-system ${name}`,
      response: telling(({ details }) => ({ details: omit(details as Record<string, unknown>, name) })),
    }),
  ),
  ...(
    [
      ['status', 'say UP where OK is meant', 'UP'],
      ['description', 'give their description as a list', []],
      ['time', 'give the time in words', 'just now'],
    ] as const
  ).map(([member, how, value]) =>
    fault({
      id: `health/sub-system-${member}`,
      breaks: ['HEALTH-9'],
      places: [`member=${member}`],
      title: `The sub-systems ${how}`,
      response: eachSubSystem((entry) => ({ ...entry, [member]: value })),
    }),
  ),
]

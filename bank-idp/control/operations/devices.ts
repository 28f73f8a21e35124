import { BankError } from '../../errors.js'
import { blockDevice as endWithDevice } from '../../provider/security-risk.js'
import type { Device } from '../../store/devices.js'
import type { Bench, Operation } from '../operation.js'

/** What is said of a device; times are ISO 8601. */
export interface DeviceAnswer {
  device: string
  /** Who signed in with it, by login name; the last one first. */
  people: { login: string; signed_in: string }[]
  blocked_since: string | null
}

const output = {
  type: 'object',
  required: ['device', 'people', 'blocked_since'],
  properties: {
    device: { type: 'string' },
    people: {
      type: 'array',
      description: 'Who signed in with it, the last one first.',
      items: {
        type: 'object',
        required: ['login', 'signed_in'],
        properties: { login: { type: 'string' }, signed_in: { type: 'string', format: 'date-time' } },
      },
    },
    blocked_since: { type: ['string', 'null'], format: 'date-time' },
  },
}

const example: DeviceAnswer = {
  device: '3f6c1b0a',
  people: [{ login: 'jana', signed_in: '2026-01-31T08:32:09.000Z' }],
  blocked_since: null,
}

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString()

function answer({ context }: Bench, { device, people, blockedSince }: Device): DeviceAnswer {
  return {
    device,
    people: people.map(({ personId, signedInAt }) => ({
      login: context.people.byId(personId)?.login ?? personId,
      signed_in: isoTime(signedInAt),
    })),
    blocked_since: blockedSince === undefined ? null : isoTime(blockedSince),
  }
}

export const listDevices: Operation<object, DeviceAnswer[]> = {
  id: 'listDevices',
  method: 'get',
  path: '/devices',
  summary: 'The browsers that people signed in with.',
  input: { properties: {} },
  output: { type: 'array', items: output },
  example: { input: {}, output: [example] },
  run: async (bench) => (await bench.context.devices.all()).map((device) => answer(bench, device)),
}

export const blockDevice: Operation<{ device: string; blocked: boolean }, DeviceAnswer> = {
  id: 'blockDevice',
  method: 'post',
  path: '/devices/{device}',
  summary:
    'Blocks a device as a security risk, which ends all its logins and tokens, or allows sign-ins with it again.',
  input: {
    required: ['device', 'blocked'],
    properties: { device: { type: 'string' }, blocked: { type: 'boolean' } },
  },
  output,
  example: {
    input: { device: '3f6c1b0a', blocked: true },
    output: { ...example, blocked_since: '2026-01-31T08:40:00.000Z' },
  },
  async run(bench, { device, blocked }) {
    const { devices } = bench.context
    if (!(await devices.isKnown(device))) throw new BankError('not_found', `there is no device '${device}'`)
    await (blocked ? endWithDevice(bench.context, device) : devices.unblock(device))
    const known = (await devices.all()).find((one) => one.device === device)
    return answer(bench, known ?? { device, people: [] })
  },
}

export const deviceOperations = [listDevices, blockDevice]

import type { Router } from 'express'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { blockDevice } from '../provider/security-risk.js'
import { exactRouter } from '../router.js'
import type { Device } from '../store/devices.js'
import { membersOf } from './members.js'

/** What the control door says of a device; times are ISO 8601. */
export interface DeviceAnswer {
  device: string
  /** Who signed in with it, by login name; the last one first. */
  people: { login: string; signed_in: string }[]
  blocked_since: string | null
}

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString()

/** GET /devices; POST /devices/{device} {blocked}. */
export function deviceControl(
  context: Pick<
    BankContext,
    'clients' | 'config' | 'devices' | 'outbox' | 'people' | 'policy' | 'provider' | 'seams' | 'subjects'
  >,
): Router {
  const { devices, people } = context
  const answer = ({ device, people: signedIn, blockedSince }: Device): DeviceAnswer => ({
    device,
    people: signedIn.map(({ personId, signedInAt }) => ({
      login: people.byId(personId)?.login ?? personId,
      signed_in: isoTime(signedInAt),
    })),
    blocked_since: blockedSince === undefined ? null : isoTime(blockedSince),
  })
  return exactRouter()
    .get('/devices', async (_req, res) => {
      res.json((await devices.all()).map(answer))
    })
    .post('/devices/:device', async (req, res) => {
      const { device } = req.params
      const { blocked } = membersOf(req)
      if (typeof blocked !== 'boolean') throw new BankError('invalid_request', 'blocked must be true or false')
      if (!(await devices.isKnown(device))) throw new BankError('not_found', `there is no device '${device}'`)
      await (blocked ? blockDevice(context, device) : devices.unblock(device))
      const known = (await devices.all()).find((one) => one.device === device)
      res.json(answer(known ?? { device, people: [] }))
    })
}

import { readFileSync } from 'node:fs'
import { Router } from 'express'
import { packageFile } from '../../schemas/package-file.js'
import { now } from '../clock.js'
import { readingOf } from '../readings.js'
import type { Rooms } from '../rooms.js'

/** How long a caller waits before it asks again, in milliseconds. */
const pollInterval = 10_000

const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }

type Status = 'OK' | 'ERROR'

interface SubSystem {
  /** Resolves when the sub-system can do its work. */
  probe(): Promise<unknown>
}

async function statusOf({ probe }: SubSystem): Promise<Status> {
  return probe().then(
    () => 'OK' as const,
    () => 'ERROR' as const,
  )
}

/** The sub-systems that this bank has, each with what shows that it works. Specification: "Health record". */
function subSystems({ clients, assertionIds, keys, provider }: Rooms): Record<string, SubSystem> {
  return {
    'dynamic-registration': { probe: () => Promise.all([clients.find(''), assertionIds.readable()]) },
    'oidc-core': { probe: async () => [keys.current('PS512'), keys.current('ES512'), await provider.Grant.find('-')] },
    revoke: { probe: () => Promise.all([clients.find(''), provider.AccessToken.find('-')]) },
    kyc: { probe: async () => [keys.current('RSA-OAEP-256'), await clients.find('')] },
  }
}

/**
 * GET /healthcheck. Specification: "Exposed by the bank" 3, "Health record". Answers from what works at the moment; with the second
 * reading of AMB-57 a bank in trouble answers 503 with the same record.
 */
export function healthcheck(rooms: Rooms): Router {
  const systems = Object.entries(subSystems(rooms))
  return Router().get('/healthcheck', async (_req, res) => {
    const time = new Date(now()).toISOString()
    const details = await Promise.all(
      systems.map(async ([name, system]) => {
        const status = await statusOf(system)
        return [name, { status, description: status === 'OK' ? 'works' : 'does not work', version, time }] as const
      }),
    )
    const failing = details.filter(([, { status }]) => status === 'ERROR').map(([name]) => name)
    const status: Status = failing.length === details.length ? 'ERROR' : 'OK'
    if (status === 'ERROR' && readingOf(rooms.config.readings, 'AMB-57') === 2) res.status(503)
    res.json({
      status,
      description: failing.length === 0 ? 'the bank works' : `does not work: ${failing.join(', ')}`,
      version,
      time,
      outage_planned_until: null,
      outage_description: failing.length === 0 ? null : `unplanned outage of ${failing.join(', ')}`,
      poll_interval: pollInterval,
      details: Object.fromEntries(details),
    })
  })
}

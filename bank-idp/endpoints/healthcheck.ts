import type { Router } from 'express'
import { now } from '../clock.js'
import type { BankContext } from '../context.js'
import type { Outage } from '../outage.js'
import { exactRouter } from '../router.js'
import { type SubSystem, subSystemNames } from '../sub-systems.js'

/** How long a caller waits before it asks again, in milliseconds. */
const pollIntervalMs = 10_000

/** How long the bank takes what it found out about itself for the truth, in milliseconds of the machine. */
const probeValidityMs = 1_000

/** What shows that each sub-system works: each probe rejects when it does not, or when the store that it needs was not written. */
function probes({
  clients,
  keys,
  outbox,
  provider,
}: Pick<BankContext, 'clients' | 'keys' | 'outbox' | 'provider'>): Record<
  SubSystem,
  (beat: Promise<void>) => Promise<unknown>
> {
  return {
    'dynamic-registration': (beat) => Promise.all([beat, clients.find('')]),
    'oidc-core': (beat) => Promise.all([beat, provider.Grant.find('-'), keys.prove(), outbox.dueReceivers()]),
    revoke: (beat) => Promise.all([beat, provider.AccessToken.find('-')]),
    kyc: () => Promise.all([provider.AccessToken.find('-'), clients.find(''), keys.prove(), outbox.dueReceivers()]),
  }
}

/** The sub-systems that do not work at the moment, asked at most once in a while however often health is asked for. */
function failing(
  context: Pick<BankContext, 'clients' | 'heartbeat' | 'keys' | 'outbox' | 'provider'>,
): () => Promise<ReadonlySet<SubSystem>> {
  const probe = probes(context)
  let latest: { at: number; answer: Promise<ReadonlySet<SubSystem>> } | undefined
  const ask = async () => {
    const beat = context.heartbeat.beat()
    const works = await Promise.all(
      subSystemNames.map(async (name) => {
        try {
          await probe[name](beat)
          return true
        } catch {
          return false
        }
      }),
    )
    return new Set(subSystemNames.filter((_name, i) => !works[i]))
  }
  return () => {
    if (!latest || performance.now() - latest.at > probeValidityMs) latest = { at: performance.now(), answer: ask() }
    return latest.answer
  }
}

function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function inWords({ reason, until }: Outage): string {
  return `${reason ?? 'out of order'}${until === null ? '' : ` until ${timestamp(until)}`}`
}

/**
 * GET /healthcheck. Specification: "Exposed by the bank" 3, "Health record". Answers from what works at the moment and from the outages
 * that were announced. What concerns some sub-systems alone is told in `details` alone; the members of an outage are for the whole bank.
 */
export function healthcheck(
  context: Pick<
    BankContext,
    'clients' | 'config' | 'heartbeat' | 'keys' | 'outages' | 'outbox' | 'policy' | 'provider'
  >,
): Router {
  const { policy, outages } = context
  // The version of the whole interface, which is the edition of its specification ("Versioning" 1 and 2).
  const version = context.config.edition
  const broken = failing(context)
  return exactRouter().get('/healthcheck', async (_req, res) => {
    const time = new Date(now()).toISOString()
    const notWorking = await broken()
    const details = Object.fromEntries(
      subSystemNames.map((name) => {
        const outage = outages.of(name)
        const status = outage || notWorking.has(name) ? 'ERROR' : 'OK'
        const description = outage ? inWords(outage) : status === 'OK' ? 'works' : 'does not work'
        return [name, { status, description, version, time }]
      }),
    )
    const down = subSystemNames.filter((name) => details[name]?.status === 'ERROR')
    const whole = outages.of('bank')
    const inOutage = down.length === subSystemNames.length
    // The published edition has a word of its own for an outage that will end (AMB-18).
    const word = whole && policy.outageStatus === 'outage' ? 'OUTAGE' : 'ERROR'
    if (inOutage && policy.outageHttpStatus === 'service-unavailable')
      res.status(503).set('retry-after', String(pollIntervalMs / 1000))
    res.set('cache-control', 'no-store').json({
      status: inOutage ? word : 'OK',
      description: down.length === 0 ? 'the bank works' : `out of order: ${down.join(', ')}`,
      version,
      time,
      outage_planned_until: inOutage && whole && whole.until !== null ? timestamp(whole.until) : null,
      outage_description: inOutage ? (whole?.reason ?? 'unplanned outage') : null,
      poll_interval: pollIntervalMs,
      details,
    })
  })
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Journal } from '../simulator/journal.js'
import { bankForTest } from './banks.js'
import type { ForeignBank } from './foreign-bank.js'
import type { Replaced } from './https-server.js'
import { TestSimulator } from './simulator.js'

const ends: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A directory for the test that calls this. */
export function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), 'simulator-'))
  ends.push(() => rmSync(path, { recursive: true }))
  return path
}

/** {@link TestSimulator.start} for the test that calls it: closed after the test, if it was not before. */
export async function simulatorForTest(...how: Parameters<typeof TestSimulator.start>): Promise<TestSimulator> {
  const service = await TestSimulator.start(...how)
  ends.push(() => service.close())
  return service
}

/** A bank, and the simulator towards it, which has a client app-1 there. */
export async function bankAndSimulator(
  replaced?: Replaced,
  data?: string,
): Promise<{ bank: ForeignBank; service: TestSimulator; journal: Journal }> {
  const bank = await bankForTest(replaced)
  const service = await simulatorForTest([bank], { ...(data !== undefined && { data }) })
  const { journal } = service.simulator
  journal.append({
    kind: 'client',
    issuer: bank.url,
    name: 'registered before',
    own: false,
    clientId: 'app-1',
    redirectUri: 'https://elsewhere.example/callback',
  })
  return { bank, service, journal }
}

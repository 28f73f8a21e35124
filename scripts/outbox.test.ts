import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type RunningBank, run, startBank } from '../bank-idp/testing/command.js'
import { loadTarget } from '../conformance/target/load-target.js'
import { TestSimulator } from '../conformance/testing/simulator.js'

const directory = mkdtempSync(join(tmpdir(), 'outbox-'))
const data = join(directory, 'bank')
afterAll(() => rmSync(directory, { recursive: true }))

const port = (url: string) => new URL(url).port

/** The names that the service was told of, in the order in which it took them in. */
function events(service: TestSimulator) {
  return service.simulator.journal
    .of('notification')
    .flatMap(
      ({ events: received }) => received as { original_event_at: string; sub: string; affected_claims: string[] }[],
    )
}

async function arrived(service: TestSimulator, count: number): Promise<void> {
  for (let tries = 0; events(service).length < count; tries += 1) {
    if (tries > 300) throw new Error(`${events(service).length} of ${count} events came within 30 s`)
    await setTimeout(100)
  }
}

test('EVT-4: the receiver is down, the bank is killed twice: every event arrives once, in order for each person', async () => {
  let bank: RunningBank = await startBank('--data', data)
  const target = () => ({ target: loadTarget(join(data, 'target.yaml')) })
  const listen = (at?: string) =>
    TestSimulator.start([target()], { data: join(directory, 'service'), ...(at && { port: Number(port(at)) }) })
  let service = await listen()
  const { url } = service.simulator
  const change = async (login: string, name: string) => {
    const { code, stderr } = await run('people', 'set', login, `nickname=${name}`, '--data', data)
    expect([code, stderr]).toEqual([0, ''])
  }
  const restart = async () => {
    await bank.stop('SIGKILL')
    bank = await startBank('--data', data, '--port', port(bank.issuer))
  }
  try {
    const scopes: [string, string][] = ['profile.name', 'notification.claims_updated'].map((scope) => ['scope', scope])
    expect(await service.login(scopes)).toMatchObject({ status: 200 })
    await change('jana', 'zero')
    await arrived(service, 1)

    await service.close()
    await change('jana', 'one')
    await change('jana', 'two')
    await restart()
    await change('jana', 'three')
    await restart()
    const { stdout } = await run('outbox', 'list', '--data', data)
    expect(stdout).toContain(`to ${url}/notify`)
    service = await listen(url)
    await change('jana', 'four')
    await arrived(service, 5)

    const received = events(service)
    expect(received.map(({ affected_claims }) => affected_claims)).toEqual(received.map(() => ['nickname']))
    const times = received.map(({ original_event_at }) => Date.parse(original_event_at))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(new Set(times).size).toBe(5)
    expect(await run('outbox', 'list', '--data', data)).toMatchObject({ stdout: 'Everything was delivered.\n' })
    const displayed = await run('people', 'show', 'jana', '--data', data)
    expect(displayed.stdout).toContain('nickname: four')
  } finally {
    await service.close()
    await bank.stop()
  }
})

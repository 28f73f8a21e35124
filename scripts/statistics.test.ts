import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, startBank } from '../bank-idp/testing/command.js'
import { loadTarget } from '../conformance/target/load-target.js'
import { TestSimulator } from '../conformance/testing/simulator.js'

const data = mkdtempSync(join(tmpdir(), 'statistics-'))
afterAll(() => rmSync(data, { recursive: true }))

test('SVC-6: the bank asks with its own assertion, and gets the figures of logins that really happened', async () => {
  const bank = await startBank('--data', data)
  const service = await TestSimulator.start([{ target: loadTarget(join(data, 'target.yaml')) }])
  try {
    const stats = (...args: string[]) => run('stats', '--data', data, '--service', service.simulator.url, ...args)
    expect(await service.login({ scope: 'profile.name' })).toMatchObject({ status: 200 })
    expect(await service.login()).toMatchObject({ status: 200 })
    const [first, last] = service.simulator.journal.of('login')
    expect(first?.sepSub).toMatch(/^[0-9a-f-]{36}$/)
    const { code, stdout, stderr } = await stats('--sub', String(first?.idpSub))
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({
      firstAuth: first?.at,
      lastAuth: last?.at,
      numberOfRecords: 2,
      numberOfIdpRecords: 0,
      authHistory: [first, last].map((login) => ({ authDateTime: login?.at, idp: false })),
    })
    const none = await stats(
      '--sub',
      'nobody',
      '--from',
      '2026-01-01T00:00:00+01:00',
      '--to',
      '2026-02-01T00:00:00+01:00',
    )
    expect(JSON.parse(none.stdout)).toMatchObject({ numberOfRecords: 0, message: 'No records.' })
    expect(await stats()).toMatchObject({ code: 2, stderr: expect.stringContaining('--sub or by --sep-sub') })
    expect(await stats('--sub', 'x', '--from', 'yesterday')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('dateFrom'),
    })
    const nowhere = await run('stats', '--data', data, '--sub', 'x')
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('--service') })
    const silent = await run('stats', '--data', data, '--service', 'https://localhost:2', '--sub', 'x')
    expect(silent).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /ECONNREFUSED.*; no server listens there \('conformance serve' plays the service\)\n$/,
      ),
    })
    expect(await run('outbox', 'list', '--data', data)).toMatchObject({
      code: 0,
      stdout: 'Everything was delivered.\n',
    })
    expect(await run('outbox', 'retry', '--data', data)).toMatchObject({
      code: 0,
      stdout: '0 events will be sent again.\n',
    })
    expect(await run('outbox', 'retry', 'unknown', '--data', data)).toMatchObject({ code: 2 })
  } finally {
    await service.close()
    await bank.stop()
  }
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { logoutClaims } from '../testing/bank-messages.js'
import { bankForTest } from '../testing/banks.js'
import { TestSimulator } from '../testing/simulator.js'
import { bankAndSimulator, simulatorForTest, temporary } from '../testing/simulator-for-test.js'

describe('the journal', () => {
  test('drops a line that a crash cut short', async () => {
    const data = temporary()
    const { bank, service } = await bankAndSimulator(undefined, data)
    await service.form('/back-channel/logout', { logout_token: await bank.sign(logoutClaims(bank)) })
    await service.close()
    const file = join(data, 'journal.jsonl')
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, `${whole}{"kind":"logout","at":"20`)
    const again = await simulatorForTest([bank], { data })
    expect(again.simulator.journal.of('logout')).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).toBe(whole)
  })

  test('that is damaged in its middle is told, and not overwritten', async () => {
    const data = temporary()
    writeFileSync(join(data, 'journal.jsonl'), 'not json\n')
    const bank = await bankForTest()
    await expect(TestSimulator.start([bank], { data })).rejects.toThrow(`--data ${data}: `)
  })
})

import { examine } from '../examine.js'
import { type RuleDefinition, rule } from '../harness/rule.js'
import { bankForFile } from '../testing/banks.js'
import { holds } from '../testing/holds.js'

let cut = false
const bank = await bankForFile((own) => ({
  'GET /cut': () => 'cut',
  'POST /cut': () => 'cut',
  'POST /cut-once': () => {
    cut = !cut
    return cut ? 'cut' : { status: 204 }
  },
  'GET /quick': () => own['GET /healthcheck']?.({} as never) ?? 'cut',
}))

/** A rule's result on a machine whose time the rule can let jump. */
async function resultOf(check: (tools: Parameters<RuleDefinition['check']>[0], sleep: () => void) => Promise<void>) {
  let now = 1000
  const sleep = () => {
    now += 60
  }
  const it = rule({ id: 'testing/it', requirement: 'TOK-2', title: 'it', check: (tools) => check(tools, sleep) })
  const { results } = await examine({ target: bank.target, rules: [it], uptime: () => now })
  return results[0]
}

const again = 'restarted: the harness stood still: it was stopped, or the machine slept'

describe('a rule that was under way while the harness stood still', () => {
  test('is begun again, whatever came of it', async () => {
    let times = 0
    const result = await resultOf(async (tools, sleep) => {
      times += 1
      if (times === 1) sleep()
      await holds(tools)
    })
    expect(times).toBe(2)
    expect(result).toMatchObject({ status: 'pass', notes: [again] })
  })

  test('is no failure of a bank of which nobody heard the answer', async () => {
    let times = 0
    const result = await resultOf(async (tools, sleep) => {
      times += 1
      if (times > 1) return holds(tools)
      sleep()
      await tools.bank.get('/cut')
    })
    expect(result).toMatchObject({ status: 'pass', notes: [again] })
  })

  test('takes its shared steps anew, since what they gave may have expired', async () => {
    const addresses = new Set<string>()
    const result = await resultOf(async ({ bank: at, expect: expectOf }, sleep) => {
      addresses.add((await at.client()).redirectUri)
      if (addresses.size === 1) sleep()
      addresses.add((await at.client()).redirectUri)
      expectOf(addresses.size, 'the clients registered').toBeAtLeast(2)
    })
    expect(result).toMatchObject({ status: 'pass', notes: [again] })
  })

  test('gets none of what it had asked for itself, which it may have used up', async () => {
    const addresses = new Set<string>()
    const result = await resultOf(async ({ bank: at, expect: expectOf }, sleep) => {
      if (addresses.size === 0) sleep()
      addresses.add((await at.client()).redirectUri)
      if (addresses.size === 1) return
      expectOf(addresses.size, 'the clients registered so far').toBe(2)
    })
    expect(result).toMatchObject({ status: 'pass', notes: [again] })
    expect(addresses.size).toBe(2)
  })

  test('is an error when it is disturbed every time', async () => {
    const result = await resultOf(async ({ bank: at }, sleep) => {
      sleep()
      await at.get('/cut')
    })
    expect(result).toMatchObject({
      status: 'error',
      reason: 'it could not be examined: the harness stood still: it was stopped, or the machine slept',
      notes: [again, again],
    })
    expect(result).not.toHaveProperty('finding')
  })
})

describe('a rule whose request left as the bank ended a connection that was kept', () => {
  test('is begun again', async () => {
    const result = await resultOf(async ({ bank: at, expect: expectOf }) => {
      await at.get('/quick')
      expectOf(await at.send({ method: 'POST', url: `${at.issuer}/cut-once` })).toHaveStatus(204)
    })
    expect(result).toMatchObject({
      status: 'pass',
      notes: ['restarted: the bank closed a kept-alive connection just as a request was sent on it'],
    })
  })

  test('ends with what came where the bank breaks off a connection of the request’s own too', async () => {
    const result = await resultOf(async ({ bank: at }) => {
      await at.send({ method: 'POST', url: `${at.issuer}/cut` })
    })
    const reason = expect.stringContaining('closed the connection')
    expect(result).toMatchObject({ status: 'blocked', reason })
  })
})

import { createBank } from '../bank.js'

/** Milliseconds by which two readings of one time may differ here. */
const toleranceMs = 5_000

const machine = () => performance.timeOrigin + performance.now()
const ahead = () => Date.now() - machine()

test('the clock is set, goes back, stands still and is the machine’s again', async () => {
  const bank = await createBank()
  await bank.clock.set('2030-01-31T12:00:00Z')
  expect(bank.clock.now().toISOString()).toMatch(/^2030-01-31T12:00:0/)
  await bank.clock.freeze()
  const still = bank.clock.now().toISOString()
  await bank.clock.advance('1h')
  expect(Date.parse(bank.clock.now().toISOString()) - Date.parse(still)).toBe(3_600_000)
  await bank.clock.back(3600)
  expect([bank.clock.now().toISOString(), new Date().toISOString()]).toEqual([still, still])
  await bank.clock.set(new Date('2020-02-29T00:00:00Z'))
  expect(bank.clock.now().toISOString()).toBe('2020-02-29T00:00:00.000Z')
  await bank.clock.freeze(false)
  expect(Math.abs(bank.clock.now().getTime() - Date.parse('2020-02-29T00:00:00Z'))).toBeLessThan(toleranceMs)
  await bank.clock.reset()
  expect(Math.abs(ahead())).toBeLessThan(toleranceMs)
  await bank.close()
})

test('what is issued carries the time of then', async () => {
  const bank = await createBank()
  const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
  await bank.clock.freeze()
  await bank.clock.set('2030-01-31T12:00:00Z')
  const { claims } = await bank.login(client, 'jana')
  expect(claims.iat).toBe(Date.parse('2030-01-31T12:00:00Z') / 1000)
  await bank.close()
})

test('the last bank of the process that closes gives the machine’s time back', async () => {
  const [one, other] = [await createBank(), await createBank()]
  await one.clock.advance('1d')
  expect(Math.abs(other.clock.now().getTime() - machine() - 86_400_000)).toBeLessThan(toleranceMs)
  await one.close()
  await one.close()
  expect(ahead()).toBeGreaterThan(86_000_000)
  await other.close()
  expect(Math.abs(ahead())).toBeLessThan(toleranceMs)
})

test.each(['soon', '1969-12-31T00:00:00Z', new Date(Number.NaN)])('the clock is not set to %s', async (time) => {
  const bank = await createBank()
  await expect(bank.clock.set(time)).rejects.toThrow(RangeError)
  await bank.close()
})

test('a clock that a test runner put in place stays when a bank closes', async () => {
  const bank = await createBank()
  const itsOwn = class extends Date {} as DateConstructor
  const before = globalThis.Date
  globalThis.Date = itsOwn
  await bank.close()
  expect(globalThis.Date).toBe(itsOwn)
  globalThis.Date = before
})

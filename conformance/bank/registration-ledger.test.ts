import { RegistrationLedger } from './registration-ledger.js'

test('what there is no time to take away is listed, and not tried', async () => {
  const ledger = new RegistrationLedger()
  const tried: string[] = []
  for (const clientId of ['one', 'two']) {
    ledger.add({
      clientId,
      async remove() {
        tried.push(clientId)
      },
    })
  }
  expect(await ledger.removeAll(-1)).toEqual([
    { clientId: 'one', reason: 'other removals took all of -1 s' },
    { clientId: 'two', reason: 'other removals took all of -1 s' },
  ])
  expect(tried).toEqual([])
})

test('what is being taken away when there is a hurry is listed, and not waited for', async () => {
  const ledger = new RegistrationLedger()
  const hurry = new AbortController()
  ledger.add({ clientId: 'one', remove: async () => {} })
  ledger.add({ clientId: 'two', remove: () => new Promise(() => setImmediate(() => hurry.abort())) })
  const left = [{ clientId: 'two', reason: 'the run was ended before it was taken away' }]
  expect(await ledger.removeAll(60, hurry.signal)).toEqual(left)
  void ledger.await(new Promise(() => {}))
  ledger.add({ clientId: 'two', remove: () => new Promise(() => {}) })
  expect(await ledger.removeAll(60, hurry.signal)).toEqual(left)
})

test('what could not be taken away is listed with the reason, the rest is gone', async () => {
  const ledger = new RegistrationLedger()
  ledger.add({ clientId: 'one', remove: async () => {} })
  ledger.add({ clientId: 'two', remove: () => Promise.reject(new Error('status 500')) })
  expect(await ledger.removeAll(60)).toEqual([{ clientId: 'two', reason: 'status 500' }])
  expect(await ledger.removeAll(60)).toEqual([])
})

test.each(['secrets', 'tokens'] as const)('what an answer brought in place of others holds: %s', (kind) => {
  const renewals = new RegistrationLedger()[kind]
  const current = (value: string) => renewals.current('a', value)
  renewals.note('a', 'first', 'first')
  renewals.note('a', 'first', '********')
  renewals.note('a', 'first', 'second')
  renewals.note('a', 'second', 'third')
  expect(['first', 'second', 'third', 'wrong'].map(current)).toEqual(['third', 'third', 'third', 'wrong'])
  expect(renewals.current('b', 'first')).toBe('first')
  renewals.note('a', 'third', 'first')
  expect(['first', 'second', 'third'].map(current)).toEqual(['first', 'first', 'first'])
})

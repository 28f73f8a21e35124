import { type ForeignBank, startForeignBank } from './foreign-bank.js'

const openForTest: ForeignBank[] = []

afterEach(async () => {
  for (const bank of openForTest.splice(0)) await bank.close()
})

/** {@link startForeignBank} for the test that calls it: closed after the test, if it was not before. */
export async function bankForTest(...how: Parameters<typeof startForeignBank>): Promise<ForeignBank> {
  const bank = await startForeignBank(...how)
  openForTest.push(bank)
  return bank
}

/** {@link startForeignBank} for all the tests of a file, at whose top it stands: closed after them. */
export async function bankForFile(...how: Parameters<typeof startForeignBank>): Promise<ForeignBank> {
  const bank = await startForeignBank(...how)
  afterAll(() => bank.close())
  return bank
}

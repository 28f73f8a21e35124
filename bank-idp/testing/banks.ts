import { type Bank, type BankOptions, createBank } from '../bank.js'
import type { Log } from '../log.js'
import { type TestClient, TestService } from './service.js'

/** A bank that listens, and the service that is played towards it. */
export interface TestBank {
  bank: Bank
  service: TestService
  /** Before its time: a bank that is left open is closed after the test or the file that it was opened for. */
  close(): Promise<void>
}

const openForTest: TestBank[] = []

afterEach(async () => {
  for (const testBank of openForTest.splice(0).reverse()) await testBank.close()
})

async function play(options?: BankOptions, log?: Log): Promise<TestBank> {
  const bank = await createBank(options, log)
  await bank.listen()
  const service = await TestService.start(bank)
  const closeBoth = async () => {
    service.hangUp()
    await bank.close()
    await service.stop()
  }
  let closing: Promise<void> | undefined
  return { bank, service, close: () => (closing ??= closeBoth()) }
}

/** A bank for the test that opens it. */
export async function bankForTest(options?: BankOptions, log?: Log): Promise<TestBank> {
  const testBank = await play(options, log)
  openForTest.push(testBank)
  return testBank
}

/**
 * A bank for all the tests of a file, with a client registered: `const { service, client } = await bankForFile()` stands at its top.
 *
 * @param record what is different about the client's registration record
 */
export async function bankForFile(
  options?: BankOptions,
  record?: Record<string, unknown>,
  log?: Log,
): Promise<TestBank & { client: TestClient }> {
  const testBank = await play(options, log)
  afterAll(() => testBank.close())
  // Without this the bank would listen on where nothing else in the file has begun.
  const client = await testBank.service.client(record).catch(async (error: unknown) => {
    await testBank.close()
    throw error
  })
  return { ...testBank, client }
}

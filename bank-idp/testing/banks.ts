import { type Bank, type BankOptions, createBank } from '../bank.js'
import type { Log } from '../log.js'
import { type Application, TestService } from './service.js'

/** A bank that listens, and the service that is played towards it. */
export interface PlayedBank {
  bank: Bank
  service: TestService
  /** Before its time: a bank that is left open is closed after the test or the file that it was opened for. */
  close(): Promise<void>
}

const openForTest: PlayedBank[] = []

afterEach(async () => {
  for (const played of openForTest.splice(0).reverse()) await played.close()
})

async function play(options?: BankOptions, log?: Log): Promise<PlayedBank> {
  const bank = await createBank(options, log)
  await bank.listen()
  const service = await TestService.start(bank)
  let closing: Promise<void> | undefined
  return { bank, service, close: () => (closing ??= bank.close().then(() => service.stop())) }
}

/** A bank for the test that opens it. */
export async function bankForTest(options?: BankOptions, log?: Log): Promise<PlayedBank> {
  const played = await play(options, log)
  openForTest.push(played)
  return played
}

/**
 * A bank for all the tests of a file, with an application registered: `const { service, application } = await bankForFile()` stands at its top.
 *
 * @param record what is different about the application's registration record
 */
export async function bankForFile(
  options?: BankOptions,
  record?: Record<string, unknown>,
  log?: Log,
): Promise<PlayedBank & { application: Application }> {
  const played = await play(options, log)
  afterAll(() => played.close())
  // Without this the bank would listen on where nothing else in the file has begun.
  const application = await played.service.application(record).catch(async (error: unknown) => {
    await played.close()
    throw error
  })
  return { ...played, application }
}

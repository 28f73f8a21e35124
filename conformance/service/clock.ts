import { request } from 'undici'
import { TargetError } from '../harness/failure.js'

/** Tells the time at the bank, in Unix seconds. */
export type BankClock = () => number

/**
 * The bank's clock, by the offset that its control door tells; without a door the bank's time is taken for ours.
 * @throws TargetError when the door named in the target file does not tell it
 */
export async function bankClock(control: { url: string; token: string } | undefined): Promise<BankClock> {
  const offset = control ? await clockOffset(control) : 0
  return () => Math.floor(Date.now() / 1000) + offset
}

async function clockOffset({ url, token }: { url: string; token: string }): Promise<number> {
  const address = `${url}/clock`
  const offset = await askOffset(address, token).catch((error: unknown) => {
    throw new TargetError([
      `control.url: ${address} does not answer (${error instanceof Error ? error.message : error})`,
    ])
  })
  if (typeof offset === 'number') return offset
  throw new TargetError([`control.url: ${address} does not tell offset_seconds; is control.token_file the bank's?`])
}

async function askOffset(address: string, token: string): Promise<unknown> {
  const { body } = await request(address, {
    headers: { authorization: `Bearer ${token}`, connection: 'close' },
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
  })
  const text = await body.text()
  try {
    return JSON.parse(text)?.offset_seconds
  } catch {
    return undefined
  }
}

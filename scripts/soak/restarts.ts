import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BankProcess } from './bank-process.js'
import type { Row } from './table.js'

export interface RestartOptions {
  rounds: number
  /** Callers that ask all the time. */
  atOnce: number
  /** Answers between a start and the stop after it. */
  answers: number
}

/** How one request ended: a status, or the code of an error. */
function ask(bank: BankProcess, ca: string): Promise<string> {
  return new Promise((resolve) => {
    const request = get(
      { port: bank.port, path: '/healthcheck', ca, servername: 'localhost', timeout: 5_000 },
      (res) => {
        res.resume().on('end', () => resolve(`status ${res.statusCode}`))
      },
    )
    request.on('timeout', () => request.destroy(Object.assign(new Error('late'), { code: 'no answer in 5 s' })))
    request.on('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message))
  })
}

/**
 * Stops and starts a bank again and again while its readiness is polled: whoever gets through is answered with 200, from the first moment to
 * the last; else nobody listens.
 */
export async function restartBank({ rounds, atOnce, answers }: RestartOptions): Promise<Row[]> {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-restarts-'))
  const bank = await BankProcess.make(data)
  const polls: Row = { what: 'requests at starts and stops', tried: 0, lost: [] }
  const stops: Row = { what: 'stops by SIGTERM', tried: 0, lost: [] }
  try {
    await bank.start()
    const ca = bank.identity.authority.cert
    let [going, answered] = [true, 0]
    const polling = Array.from({ length: atOnce }, async () => {
      while (going) {
        const told = await ask(bank, ca)
        polls.tried += 1
        if (told === 'status 200') answered += 1
        else if (told !== 'ECONNREFUSED') polls.lost.push(told)
        else await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    const more = async () => {
      const enough = answered + answers
      while (answered < enough) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    for (let round = 0; round < rounds; round += 1) {
      await more()
      const code = await bank.stop()
      stops.tried += 1
      if (code !== 0) stops.lost.push(`round ${round}: ended with ${code}`)
      await bank.start()
    }
    await more()
    going = false
    await Promise.all(polling)
    return [polls, stops]
  } finally {
    await bank.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

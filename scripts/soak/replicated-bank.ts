import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.js'
import { BankProcess } from './bank-process.js'
import type { SoakedBank } from './live-bank.js'

/** Joins two ends of a connection: each ends with the other. */
function forward(one: Socket, other: Socket): void {
  one.once('error', () => other.destroy()).once('close', () => other.destroy())
  other.once('error', () => one.destroy()).once('close', () => one.destroy())
  one.pipe(other).pipe(one)
}

/** Several processes of a bank on one store, behind a balancer that hands each connection to the next of them. */
export async function replicatedBank(store: string, count: number, faults: readonly string[]): Promise<SoakedBank> {
  const directory = mkdtempSync(join(tmpdir(), 'replicas-'))
  const key = join(directory, 'store.key')
  writeFileSync(key, randomBytes(32).toString('base64url'))
  const port = await freePort()
  const issuer = `https://localhost:${port}`
  const flags = ['--issuer', issuer, '--store-key-file', key]
  const make = (_: unknown, index: number) => BankProcess.make(join(directory, String(index)), faults, store, flags)
  const banks = await Promise.all(Array.from({ length: count }, make))
  await Promise.all(banks.map((bank) => bank.start()))
  let turn = 0
  const open = new Set<Socket>()
  const balancer = createServer((socket) => {
    turn += 1
    const { port: next = 0 } = banks[turn % count] ?? {}
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // From the address of the caller, by which the bank counts what is tried.
    forward(socket, connect({ port: next, host: '127.0.0.1', localAddress: socket.remoteAddress }))
  })
  await new Promise<void>((resolve) => balancer.listen(port, '127.0.0.1', resolve))
  return {
    issuer,
    identity: (banks[0] as BankProcess).identity,
    control: undefined,
    async close() {
      balancer.close()
      for (const socket of open) socket.destroy()
      await Promise.all(banks.map((bank) => bank.close()))
      rmSync(directory, { recursive: true })
    },
  }
}

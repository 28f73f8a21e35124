import type { Command } from 'commander'
import { control } from '../control/client.js'
import type { KeyAnswer } from '../control/operations/keys.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

function line({ kid, alg, use, made, published_until }: KeyAnswer): string {
  const state = published_until === null ? 'in use' : `published until ${published_until}`
  return `${kid}  ${alg.padEnd(12)}  ${use}  made ${made}  ${state}`
}

export function keyCommands(program: Command, { print }: Terminal): void {
  const list = (keys: KeyAnswer[]) => print(keys.map(line).join('\n'))
  program
    .command('keys')
    .description('list the published keys, newest first')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => list(await control<KeyAnswer[]>(data, '/keys')))
  program
    .command('rotate-keys')
    .description('make new keys and sign with them from now on; the old ones stay published for a year')
    .option('--alg <alg>', 'only the key of this algorithm')
    .option(...dataOption)
    .action(async ({ data, alg }: DataFlag & { alg?: string }) => {
      list(await control<KeyAnswer[]>(data, '/keys/rotate', { alg }))
    })
}

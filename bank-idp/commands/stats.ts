import type { Command } from 'commander'
import { isUrl } from '../../schemas/is-url.js'
import { control } from '../control/client.js'
import { UsageError } from '../errors.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

interface StatsFlags extends DataFlag {
  sub?: string
  sepSub?: string
  from?: string
  to?: string
  idp?: boolean
  service?: string
}

export function statsCommand(program: Command, { print }: Terminal): void {
  program
    .command('stats')
    .description("ask the service for statistics of a person's logins")
    .option('--sub <sub>', 'the person, by the sub that the bank issued')
    .option('--sep-sub <uuid>', 'the person, by the sub that the service issued')
    .option('--from <timestamp>', 'such as 2026-01-31T00:00:00+01:00 (default: 180 days before the end)')
    .option('--to <timestamp>', 'end of the interval (default: now)')
    .option('--idp', "only the bank's own usage")
    .option('--service <url>', "the service's address (default: the setting of the running bank)")
    .option(...dataOption)
    .action(async ({ data, sub, sepSub, from, to, idp, service }: StatsFlags) => {
      if (sub === undefined && sepSub === undefined) throw new UsageError('name the person by --sub or by --sep-sub')
      if (service !== undefined && !isUrl(service)) {
        throw new UsageError(`--service: '${service}' is not an address: give one such as https://localhost:9443`)
      }
      const request = { idpSub: sub, sepSub, dateFrom: from, dateTo: to, idp }
      print(JSON.stringify(await control(data, '/stats', { request, service }), null, 2))
    })
}

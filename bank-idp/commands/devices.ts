import type { Command } from 'commander'
import { control } from '../control/client.js'
import type { DeviceAnswer } from '../control/devices.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

function line({ device, people, blocked_since }: DeviceAnswer): string {
  const used = people.map(({ login, signed_in }) => `${login} at ${signed_in}`).join(', ')
  const state = blocked_since === null ? 'not blocked' : `blocked since ${blocked_since}`
  return `${device}  ${state}  ${used || 'nobody is signed in'}`
}

export function deviceCommands(program: Command, { print }: Terminal): void {
  const devices = program.command('devices').description('the browsers that people signed in with')
  devices
    .command('list')
    .description('list them, who signed in with each, and which are blocked')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => {
      const all = await control<DeviceAnswer[]>(data, '/devices')
      print(all.length === 0 ? 'no device is remembered' : all.map(line).join('\n'))
    })
  for (const [name, blocked, description] of [
    ['block', true, 'a security risk: end every login and token of a device, and let nobody sign in with it'],
    ['unblock', false, 'let people sign in with it again; what was ended stays so'],
  ] as const) {
    devices
      .command(name)
      .description(description)
      .argument('<device>', 'its name, as devices list tells it')
      .option(...dataOption)
      .action(async (device: string, { data }: DataFlag) => {
        print(line(await control<DeviceAnswer>(data, `/devices/${encodeURIComponent(device)}`, { blocked })))
      })
  }
}

import type { Command } from 'commander'
import { control } from '../control/client.js'
import type { DeviceAnswer } from '../control/operations/devices.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

function line({ device, people, blocked_since }: DeviceAnswer): string {
  const used = people.map(({ login, signed_in }) => `${login} at ${signed_in}`).join(', ')
  const state = blocked_since === null ? 'not blocked' : `blocked since ${blocked_since}`
  return `${device}  ${state}  ${used || 'no person is signed in'}`
}

export function deviceCommands(program: Command, { print }: Terminal): void {
  const devices = program.command('devices').description('the browsers that people signed in with')
  devices
    .command('list')
    .description('list the devices, who signed in with each, and which are blocked')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => {
      const all = await control<DeviceAnswer[]>(data, '/devices')
      print(all.length === 0 ? 'the bank knows no device' : all.map(line).join('\n'))
    })
  for (const [name, blocked, description] of [
    [
      'block',
      true,
      'block a device as a security risk: end all its logins and tokens, and refuse further sign-ins with it',
    ],
    ['unblock', false, 'allow sign-ins with a device again; ended logins and tokens stay ended'],
  ] as const) {
    devices
      .command(name)
      .description(description)
      .argument('<device>', 'its name, as devices list shows it')
      .option(...dataOption)
      .action(async (device: string, { data }: DataFlag) => {
        print(line(await control<DeviceAnswer>(data, `/devices/${encodeURIComponent(device)}`, { blocked })))
      })
  }
}

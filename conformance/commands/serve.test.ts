import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { exitCodes } from '../output.js'
import { bankForFile } from '../testing/banks.js'
import { command } from '../testing/command.js'
import { targetFileOf } from '../testing/foreign-bank.js'
import { targetDirectory } from '../testing/target-file.js'

const directory = await targetDirectory()
afterAll(() => directory.remove())

const target = directory.write('target.yaml', stringify(targetFileOf(await bankForFile())))

describe('conformance serve', () => {
  test('plays the service until it is ended, and says where and for whom', async () => {
    const ending = new AbortController()
    const args = ['serve', '--target', target, '--port', '0', '--data', join(directory.path, 'service')]
    const { code, out } = await command(args, { signal: ending.signal, heard: () => ending.abort() })
    expect(code).toBe(exitCodes.nothingFailed)
    expect(out.replaceAll(/:\d+/g, ':N').split('\n')).toEqual([
      'The service listens on https://localhost:N: open it in a browser to log in and to sign.',
      '  POST https://localhost:N/back-channel/logout',
      '  POST https://localhost:N/notify',
      '  POST https://localhost:N/user-stat-data',
      '  GET  https://localhost:N/.well-known/jwks.json',
      'Bank https://localhost:N, without idp_id: it gets no statistics',
    ])
  })

  test('exits 2 when its port is taken, and says how to take another', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, 'localhost', resolve))
    const { port } = taken.address() as AddressInfo
    const data = join(directory.path, 'service')
    const { code, err } = await command(['serve', '--target', target, '--port', String(port), '--data', data])
    expect([code, err]).toEqual([
      exitCodes.usage,
      `localhost:${port} is taken by another program: choose another port with --port (0 takes any free one)`,
    ])
    await new Promise((resolve) => taken.close(resolve))
  })

  test('exits 2 when the target file does not equip it', async () => {
    const bare = directory.write('bare.yaml', stringify({ issuer: 'https://a.example' }))
    const { code, err } = await command(['serve', '--target', bare])
    expect([code, err]).toEqual([
      exitCodes.usage,
      'target file: the first target file has to name service.keys and service.server',
    ])
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from '../schemas/package-file.js'
import { freePort } from './testing/free-port.js'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'first-start-'))
})

afterEach(() => rmSync(directory, { recursive: true }))

/** One poll of a readiness probe: the status, or the code of the error when nobody listens yet. */
function poll(port: number): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const options = { port, path: '/.well-known/jwks.json', rejectUnauthorized: false, agent: false }
    request(options, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .end()
  })
}

test('whoever polls from the first moment of a first start is refused a connection or answered, and never left waiting', async () => {
  const port = await freePort()
  const cli = packageFile('dist/bundled/bank-idp.js')
  const args = ['start', '--quiet', '--port', String(port), '--data', join(directory, 'data')]
  const child = spawn(process.execPath, [cli, ...args], { stdio: 'ignore' })
  try {
    const polls: Promise<number | string | undefined>[] = []
    let ready = false
    while (!ready) {
      const answer = poll(port).then((outcome) => {
        ready ||= outcome === 200
        return outcome
      })
      polls.push(answer)
      await new Promise(setImmediate)
      if (child.exitCode !== null) throw new Error(`the bank ended with ${child.exitCode}`)
      // No more than a probe would have under way: the machine has to start the bank too.
      if (polls.length % 20 === 0) await Promise.race([answer, once(child, 'exit')])
    }
    expect(new Set(await Promise.all(polls))).toEqual(new Set(['ECONNREFUSED', 200]))
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})

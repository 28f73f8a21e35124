import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stringify } from 'yaml'
import { packageFile } from '../schemas/package-file.js'
import { bankForTest } from './testing/banks.js'
import { targetFileOf } from './testing/foreign-bank.js'
import { html, type Replaced } from './testing/https-server.js'
import { targetDirectory } from './testing/target-file.js'

const directory = await targetDirectory()
afterAll(() => directory.remove())

/** What a run may be at when it is ended. */
const busy: Record<string, [routes: Replaced, until: string]> = {
  'waits for an answer, and for a registration to be taken away': [
    () => ({ 'POST /token': () => 'hang', 'DELETE /register/*': () => 'hang' }),
    'POST /token',
  ],
  'reads a page of which there is no end': [
    () => ({ 'GET /login': () => html('<div>'.repeat(200_000)) }),
    'GET /login',
  ],
  'waits for a page to go on by itself': [
    () => ({ 'GET /login': () => html('<meta http-equiv="refresh" content="25;url=/consent">') }),
    'GET /login',
  ],
}

test.each(Object.entries(busy))('SIGTERM ends a run within a second that %s', async (_what, [routes, until]) => {
  const bank = await bankForTest(routes)
  const target = directory.write('target.yaml', stringify(targetFileOf(bank)))
  const args = ['run', '--target', target, '--only', 'token/code-exchange', '--out', `${directory.path}/out`]
  const run = spawn(process.execPath, [packageFile('dist/conformance/cli.js'), ...args], { stdio: 'ignore' })
  while (!bank.seen.includes(until)) await new Promise((resolve) => setTimeout(resolve, 20))
  const ended = once(run, 'exit')
  const asked = performance.now()
  run.kill('SIGTERM')
  await ended
  expect(run.exitCode).not.toBeNull()
  // Twice as long as it takes on a machine that has nothing else to do.
  expect(performance.now() - asked).toBeLessThan(2_000)
})

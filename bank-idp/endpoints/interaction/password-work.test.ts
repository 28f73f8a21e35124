import { Session } from 'node:inspector/promises'
import { cookieNames } from '../../cookie-names.js'
import { bankForFile } from '../../testing/banks.js'
import type { Cookies } from '../../testing/pages.js'
import { sent } from '../../testing/signing-pages.js'

const { service, client } = await bankForFile({ limits: { passwordTries: 3 } })

/** Where the bank judges a password: names are looked up, passwords compared, tries counted. */
const judging =
  /bank-idp\/(constant-time-equal|people|store\/(password-tries|devices)|endpoints\/interaction\/(check-password|sign-in))\.ts$/

let profiler: Session

beforeAll(async () => {
  profiler = new Session()
  profiler.connect()
  await profiler.post('Profiler.enable')
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  // The address is one that was seen before.
  await triesOf('somebody', true)
})

afterAll(() => profiler.disconnect())

/** How often each piece of the bank that judges passwords runs while something is done. */
async function workOf(done: () => Promise<unknown>): Promise<string[]> {
  await profiler.post('Profiler.takePreciseCoverage')
  await done()
  const { result } = await profiler.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => judging.test(url))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges }) =>
        ranges
          .filter(({ count }) => count > 0)
          .map(({ startOffset, endOffset, count }) =>
            [url.replace(/.*bank-idp\//, ''), functionName, `${startOffset}-${endOffset}`, count].join(' '),
          ),
      ),
    )
    .sort()
}

async function pageOf(cookies: Cookies): Promise<string> {
  const { client_id, redirect_uri } = client
  const query = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's', nonce: 'n' }
  const page = await service.walk(await service.http('get', '/auth').query({ ...query, prompt: 'login' }), [], {
    cookies,
  })
  return String(/action="([^"]+)"/.exec(page.text)?.[1])
}

/** Tries a password, of a browser that has a name or none, until it is held back. @returns the work of each try */
async function triesOf(login: string, named: boolean): Promise<string[][]> {
  const cookies: Cookies = new Map()
  const page = await pageOf(cookies)
  if (!named) cookies.delete(cookieNames.device)
  const tries: string[][] = []
  for (const status of [400, 400, 400, 429]) {
    const work = await workOf(async () => {
      const form = { action: 'sign-in', login, password: 'wrong' }
      const answer = await service.http('post', page).set('cookie', sent(cookies)).type('form').send(form)
      expect(answer.status).toBe(status)
    })
    tries.push(work)
  }
  return tries
}

test.each([
  ['has a name', true],
  ['has none', false],
])(
  'nothing is done for a person that is not done for a name that nobody has (a browser that %s)',
  async (_which, named) => {
    const person = await triesOf(named ? 'jana' : 'petr', named)
    const nobody = await triesOf(named ? 'nobody' : 'anybody', named)
    expect(person).toEqual(nobody)
    expect(person[0]).toEqual(
      expect.arrayContaining([expect.stringMatching(/^constant-time-equal\.ts constantTimeEqual \S+ 1$/)]),
    )
  },
)

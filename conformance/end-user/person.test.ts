import { Agent, request } from 'undici'
import { EvidenceLog } from '../evidence/evidence.js'
import { Skip } from '../evidence/failure.js'
import { Masking } from '../evidence/masking.js'
import { type ServiceServer, startServer } from '../service/server.js'
import type { LoginSettings } from '../target/login-settings.js'
import { TargetError } from '../target/target-error.js'
import { certificates } from '../testing/certificates.js'
import { type AuthorizationTask, callbackOf, type EndUser } from './end-user.js'
import { personEndUser } from './person.js'

let server: ServiceServer
let agent: Agent
let endUser: EndUser
const invited: string[] = []

beforeEach(async () => {
  const { ca, localhost } = await certificates()
  agent = new Agent({ connect: { ca } })
  server = await startServer({ host: 'localhost', port: 0, url: 'https://localhost:{port}', certificate: localhost })
  invited.length = 0
})

afterEach(async () => {
  await agent.destroy()
  await endUser.close()
  await server.close()
})

function person(login: Partial<LoginSettings> = {}): EndUser {
  endUser = personEndUser({ server, login: { by: 'person', ...login }, invite: (url) => invited.push(url) })
  return endUser
}

const taskTo = (path: string, change: Partial<AuthorizationTask> = {}): AuthorizationTask => ({
  url: `https://bank.example/auth?state=${path}`,
  redirectUris: [`${server.url}/${path}/callback`],
  origins: ['https://bank.example'],
  person: { login: 'jana', password: '', kinds: ['full'] },
  ...change,
})

function context(signal = new AbortController().signal) {
  const evidence = new EvidenceLog(new Masking()).recorder()
  return { send: () => Promise.reject(new Error('not over HTTP')), evidence, signal }
}

async function tab(url: string) {
  const { statusCode, headers, body } = await request(url, { dispatcher: agent })
  return { status: statusCode, location: headers.location, text: await body.text() }
}

describe('a person with one tab', () => {
  test('is sent to the bank, comes back, and is sent on to the next step', async () => {
    const first = person().open().visit(taskTo('one'), context())
    const second = endUser.open().visit(taskTo('two'), context())
    const [address = ''] = await untilInvited()
    expect(await tab(address)).toMatchObject({ status: 302, location: 'https://bank.example/auth?state=one' })
    expect(await tab(`${server.url}/one/callback?code=a&state=s`)).toMatchObject({ status: 302, location: address })
    const callback = callbackOf(await first)
    expect([...callback.query]).toEqual([
      ['code', 'a'],
      ['state', 's'],
    ])
    expect(callback.response.status).toBe(0)
    expect(await tab(address)).toMatchObject({ status: 302, location: 'https://bank.example/auth?state=two' })
    expect(await tab(`${server.url}/two/callback?error=access_denied`)).toMatchObject({ status: 302 })
    expect(callbackOf(await second).query.get('error')).toBe('access_denied')
    expect(invited).toEqual([address])
    const last = tab(address)
    await endUser.close()
    expect((await last).text).toContain('The run is over')
  })

  test('brings what a page of the bank posts', async () => {
    const visit = person().open().visit(taskTo('one'), context())
    const [address = ''] = await untilInvited()
    await tab(address)
    const { statusCode, headers } = await request(`${server.url}/one/callback`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'code=a&state=s',
    })
    expect([statusCode, headers.location]).toEqual([303, address])
    expect([...callbackOf(await visit).posted]).toEqual([
      ['code', 'a'],
      ['state', 's'],
    ])
    expect(server.posts).toEqual([])
  })

  test('brings what the fragment carries', async () => {
    const visit = person().open().visit(taskTo('one'), context())
    const [address = ''] = await untilInvited()
    await tab(address)
    const page = await tab(`${server.url}/one/callback`)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('location.hash') })
    await tab(`${server.url}/one/callback?fragment=${encodeURIComponent('access_token=t&state=s')}`)
    const { query, fragment } = callbackOf(await visit)
    expect([...query]).toEqual([])
    expect(fragment.get('access_token')).toBe('t')
  })

  test('can say that the bank does not let them go on', async () => {
    const visit = person().open().visit(taskTo('one'), context())
    const refused = expect(visit).rejects.toThrow(
      new TargetError(['login: the person reports that the bank does not let them continue']),
    )
    const [address = ''] = await untilInvited()
    await tab(address)
    expect((await tab(address)).text).toContain('You have not returned yet')
    expect(await tab(`${address}?again`)).toMatchObject({ location: 'https://bank.example/auth?state=one' })
    expect(await tab(`${address}?stuck`)).toMatchObject({ location: address })
    await refused
  })

  test('who does not come back is waited for once, and then no more', async () => {
    const message =
      /^login: no browser returned from the bank to https:.* within 0\.1 s; login\.person_seconds allows more time$/
    await expect(person({ personSeconds: 0.1 }).open().visit(taskTo('one'), context())).rejects.toThrow(message)
    endUser.open()
    await expect(endUser.open().visit(taskTo('two'), context())).rejects.toThrow(message)
  })

  test.each<[string, Partial<AuthorizationTask>, RegExp]>([
    ['to refuse', { actions: { consent: 'refuse' } }, /is only asked to sign in and to approve/],
    ['to leave a scope out', { denyScopes: ['profile.name'] }, /is only asked to sign in and to approve/],
    ['to tell where the way ends', { endsAnywhere: true }, /does not report what the bank shows at the end/],
    ['to come back elsewhere', { redirectUris: ['https://one.example/callback'] }, /not to https:\/\/one\.example/],
  ])('cannot be asked %s', async (_, change, message) => {
    const visit = person().open().visit(taskTo('one', change), context())
    await expect(visit).rejects.toThrow(Skip)
    await expect(visit).rejects.toThrow(message)
    expect(invited).toEqual([])
  })

  test('is not another person later', async () => {
    const visit = person().open().visit(taskTo('one'), context())
    const [address = ''] = await untilInvited()
    await tab(address)
    await tab(`${server.url}/one/callback?code=a`)
    await visit
    const other = taskTo('two', { person: { login: 'petr', password: '', kinds: ['second'] } })
    await expect(endUser.open().visit(other, context())).rejects.toThrow('is one person')
  })

  test('is let go when the run ends', async () => {
    const ending = new AbortController()
    const visit = person().open().visit(taskTo('one'), context(ending.signal))
    await untilInvited()
    ending.abort()
    await expect(visit).rejects.toThrow(/abort/)
  })

  test('comes back to their own step alone', async () => {
    const visit = person().open().visit(taskTo('one'), context())
    const [address = ''] = await untilInvited()
    await tab(address)
    expect(await tab(`${server.url}/other/callback?code=a`)).toMatchObject({ status: 404 })
    expect(await tab(`${server.url}/end-user/guessed`)).toMatchObject({ status: 404 })
    await tab(`${server.url}/one/callback?code=b`)
    expect(callbackOf(await visit).query.get('code')).toBe('b')
  })
})

/** The invitation follows the visit within this turn of the loop. */
async function untilInvited(): Promise<string[]> {
  for (let turns = 0; turns < 100 && invited.length === 0; turns += 1) await new Promise(setImmediate)
  return invited
}

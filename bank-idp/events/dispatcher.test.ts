import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { advanceClock } from '../clock.js'
import { sharedIdentity } from '../keys/identity-in-memory.js'
import { Outbound } from '../keys/outbound.js'
import type { LogEntry } from '../log.js'
import { type Database, openDatabase } from '../store/database.js'
import { type Delivery, maxEventsPerToken, Outbox, type OutboxItem } from '../store/outbox.js'
import { serveHttps } from '../testing/https-server.js'
import { withoutFaults } from '../testing/no-faults.js'
import { Dispatcher } from './dispatcher.js'
import { askedPause, pauseAfter } from './retry.js'

/** What a receiver got: the jti, and the order numbers of what the token carried. */
interface Arrival {
  jti: string
  events: string[]
  /** What it was answered with. */
  status: number
}

interface Receiver {
  url: string
  arrivals: Arrival[]
  /** Statuses of the next answers; 200 after them. 'hang' never answers. */
  answers: (number | 'hang')[]
  /** Tokens with one of these events are refused with 400. */
  refuses: Set<string>
  /** What is said to what is accepted. */
  says: string
}

/** What a refusal says: it quotes what it was sent, as careless receivers do. */
const refusal = JSON.stringify({ error: 'invalid_request', error_description: 'sub jana is unheard of' })

const open: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function receiver(): Promise<Receiver> {
  const { identity } = await sharedIdentity()
  const arrivals: Arrival[] = []
  const answers: Receiver['answers'] = []
  const refuses = new Set<string>()
  const server = await serveHttps(identity.service.certificate, async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const answer = answers.shift() ?? 200
    if (answer === 'hang') return
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const arrival = JSON.parse(String(form.get('notification_token') ?? form.get('logout_token'))) as Arrival
    const status = arrival.events.some((event) => refuses.has(event)) ? 400 : answer
    arrivals.push({ ...arrival, status })
    res.writeHead(status).end([400, 413].includes(status) ? refusal : made.says)
  })
  open.push(server.close)
  const made: Receiver = { url: `${server.url}/notify`, arrivals, answers, refuses, says: '' }
  return made
}

async function bank(file = ':memory:', retryFor = 86_400) {
  const { identity } = await sharedIdentity()
  const db = await openDatabase(file)
  const outbox = new Outbox(db)
  const outbound = new Outbound({ ca: [identity.authority.cert], networks: ['loopback'] })
  const log: LogEntry[] = []
  const makeToken = async ({ jti, items }: Delivery) => {
    const events = items.map(({ content }) => (content.kind === 'logout' ? String(content.sid) : content.change))
    const field = items[0]?.content.kind === 'logout' ? ('logout_token' as const) : ('notification_token' as const)
    return { field, jwt: JSON.stringify({ jti, events }) }
  }
  const seams = withoutFaults()
  const dispatcher = new Dispatcher({ outbox, outbound, makeToken, retryFor, seams, log: (entry) => log.push(entry) })
  const close = async () => {
    await dispatcher.stop()
    await outbound.close()
    await db.destroy()
  }
  open.push(close)
  return { db, outbox, dispatcher, log, close: () => open.splice(open.indexOf(close), 1)[0]?.() }
}

function update(url: string, personId: string, change: string): OutboxItem {
  const content = {
    kind: 'notification' as const,
    change,
    at: '2026-01-01T10:00:00+01:00',
    sub: personId,
    claims: ['email'],
  }
  return { receiver: url, clientId: 'app-1', personId, content }
}

function logout(url: string, personId: string, sid: string): OutboxItem {
  return { receiver: url, clientId: 'app-1', personId, content: { kind: 'logout', sub: personId, sid } }
}

const enqueue = (outbox: Outbox, ...items: OutboxItem[]) => outbox.with(async () => items)

async function until(condition: () => boolean | Promise<boolean>, milliseconds = 8_000): Promise<void> {
  const end = performance.now() + milliseconds
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${condition}`)
    await setTimeout(10)
  }
}

const delivered = async ({ outbox }: { outbox: Outbox }) => (await outbox.list()).length === 0

test('EVT-4[value=repeated]: a notification is sent again after failures, with the same jti, until it is accepted', async () => {
  const to = await receiver()
  to.answers.push(503, 500)
  const { outbox, dispatcher, log } = await bank()
  dispatcher.start()
  await enqueue(outbox, update(to.url, 'jana', '1'))
  await until(() => delivered({ outbox }))
  expect(to.arrivals).toHaveLength(3)
  expect(new Set(to.arrivals.map(({ jti }) => jti)).size).toBe(1)
  expect(log.map((entry) => 'outcome' in entry && entry.outcome)).toEqual(['failed', 'failed', 'delivered'])
})

test('EVT-4[value=reordered]: what is about one person arrives in order, whatever fails; others are not held up', async () => {
  const to = await receiver()
  to.answers.push(503)
  const { outbox, dispatcher } = await bank()
  await enqueue(outbox, logout(to.url, 'jana', 'j1'))
  dispatcher.start()
  await until(() => to.arrivals.length === 1)
  await enqueue(outbox, logout(to.url, 'jana', 'j2'), update(to.url, 'jana', 'j3'), logout(to.url, 'petr', 'p1'))
  await until(() => delivered({ outbox }))
  const events = to.arrivals.flatMap((arrival) => arrival.events)
  expect(events.slice(0, 2)).toEqual(['j1', 'p1'])
  expect(events.slice(2)).toEqual(['j1', 'j2', 'j3'])
})

test('EVT-4[use=second-call]: what was not delivered survives a restart, and an attempt that a crash cut off counts as failed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'outbox-'))
  open.push(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'bank.sqlite')
  const to = await receiver()
  const first = await bank(file)
  await enqueue(first.outbox, update(to.url, 'jana', '1'))
  await enqueue(first.outbox, logout(to.url, 'petr', 'p1'))
  // As a process that is killed between taking a delivery and hearing the answer.
  const cutOff = await first.outbox.take(to.url, () => Date.now() + 20_000)
  await first.close()
  const second = await bank(file)
  second.dispatcher.start()
  await until(() => to.arrivals.length === 1)
  expect(to.arrivals[0]?.events).toEqual(['p1'])
  advanceClock(21)
  await until(() => delivered(second))
  expect(to.arrivals[1]).toEqual({ jti: cutOff?.jti, events: ['1'], status: 200 })
})

test('the cause and what is told of it are kept together, or neither', async () => {
  const { outbox, db } = await bank()
  const failing = outbox.with(async (inside: Database) => {
    await inside.insertInto('secrets').values({ name: 'cause', value: 'x' }).execute()
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await db.selectFrom('secrets').selectAll().execute()).toEqual([])
})

test('claim updates that have gathered go out as one batch, and no more than fit', async () => {
  const to = await receiver()
  const { outbox, dispatcher } = await bank()
  const people = Array.from({ length: maxEventsPerToken + 20 }, (_, index) => `person-${index}`)
  await enqueue(outbox, ...people.map((person) => update(to.url, person, person)))
  dispatcher.start()
  await until(() => delivered({ outbox }))
  expect(to.arrivals.map(({ events }) => events.length).sort()).toEqual([maxEventsPerToken, 20])
})

test.each([400, 413])(
  'a receiver that refuses with %d is not asked again, which is told and can be taken up again',
  async (status) => {
    const to = await receiver()
    to.answers.push(status)
    const { outbox, dispatcher, log } = await bank()
    dispatcher.start()
    await enqueue(outbox, logout(to.url, 'jana', 'j1'))
    await until(async () => (await outbox.list())[0]?.given_up === true)
    const [entry] = await outbox.list()
    expect(entry).toMatchObject({ kind: 'logout', attempts: 1, events: 1, problem: `status ${status}: ${refusal}` })
    expect(log).toMatchObject([{ outcome: 'given up', problem: `status ${status}, invalid_request` }])
    expect(await outbox.retry('another')).toBe(0)
    expect(await outbox.retry(entry?.jti)).toBe(1)
    await until(() => delivered({ outbox }))
    expect(to.arrivals[0]?.jti).toBe(to.arrivals[1]?.jti)
  },
)

test('of a batch that is refused, all arrives but the event that the receiver objects to, in order for each person', async () => {
  const to = await receiver()
  to.refuses.add('karel 2')
  const { outbox, dispatcher } = await bank()
  const people = ['jana', 'karel', 'petr', 'eva', 'karel', 'karel', 'jana', 'petr']
  const names = people.map((person, i) => `${person} ${people.slice(0, i + 1).filter((one) => one === person).length}`)
  await enqueue(outbox, ...people.map((person, i) => update(to.url, person, names[i] ?? '')))
  dispatcher.start()
  await until(async () => (await outbox.list()).every(({ given_up }) => given_up))
  expect(await outbox.list()).toMatchObject([{ events: 1, given_up: true }])
  const taken = to.arrivals.filter(({ status }) => status === 200)
  const events = taken.flatMap((arrival) => arrival.events)
  expect([...events].sort()).toEqual(names.filter((name) => name !== 'karel 2').sort())
  for (const person of people) {
    const own = events.filter((event) => event.startsWith(person))
    expect(own).toEqual([...own].sort())
  }
  expect(new Set(to.arrivals.map(({ jti }) => jti)).size).toBe(to.arrivals.length)
  to.refuses.clear()
  expect(await outbox.retry()).toBe(1)
  await until(() => delivered({ outbox }))
  expect(to.arrivals.at(-1)).toMatchObject({
    events: ['karel 2'],
    jti: to.arrivals.find(({ events }) => events.length === 1 && events[0] === 'karel 2')?.jti,
  })
})

test('a batch that is too large for its receiver (413) arrives in parts', async () => {
  const to = await receiver()
  to.answers.push(413)
  const { outbox, dispatcher } = await bank()
  const people = ['jana', 'karel', 'petr', 'eva']
  await enqueue(outbox, ...people.map((person) => update(to.url, person, person)))
  dispatcher.start()
  await until(() => delivered({ outbox }))
  const [whole, ...parts] = to.arrivals.map(({ events }) => events)
  expect(whole).toHaveLength(people.length)
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.flat().sort()).toEqual([...people].sort())
})

test('what was accepted with an answer that is too long is delivered', async () => {
  const to = await receiver()
  to.says = 'x'.repeat(500_000)
  const { outbox, dispatcher, log } = await bank()
  dispatcher.start()
  await enqueue(outbox, update(to.url, 'jana', '1'))
  await until(() => delivered({ outbox }))
  expect(log.map((entry) => 'outcome' in entry && entry.outcome)).toEqual(['delivered'])
})

test('what comes while the head of a line waits, or after it was given up, keeps the order of its person', async () => {
  const { outbox } = await bank()
  const url = 'https://localhost:1/notify'
  const take = async (next = 60_000) => outbox.take(url, () => Date.now() + next)
  const events = (delivery: Delivery | undefined) =>
    delivery?.items.map(({ content }) => (content.kind === 'logout' ? content.sid : content.change))
  await enqueue(outbox, logout(url, 'jana', 'j1'))
  const head = await take()
  await enqueue(outbox, update(url, 'jana', 'j2'), update(url, 'petr', 'p1'))
  expect(await outbox.dueReceivers()).toEqual([url])
  const other = await take()
  expect([events(head), events(other), await take(), await outbox.dueReceivers()]).toEqual([
    ['j1'],
    ['p1'],
    undefined,
    [],
  ])
  if (!head || !other) throw new Error('nothing was taken')
  await outbox.failed(head, 'no', Date.now() - 1)
  const again = await take()
  expect([events(again), again?.jti, again?.attempts]).toEqual([['j1'], head.jti, 2])
  await outbox.failed(head, 'never', undefined)
  expect(events(await take())).toEqual(['j2'])
  expect(await outbox.retry()).toBe(1)
  // It was given up, and waits for what is under way of the same person.
  expect(await take()).toBeUndefined()
})

test('an attempt that ends when another has delivered the same changes nothing', async () => {
  const { outbox } = await bank()
  const url = 'https://localhost:1/notify'
  await enqueue(outbox, logout(url, 'jana', 'j1'), logout(url, 'jana', 'j2'))
  const slow = await outbox.take(url, () => Date.now() - 1)
  const again = await outbox.take(url, () => Date.now() + 60_000)
  expect(again).toEqual({ ...slow, attempts: 2 })
  if (!slow || !again) throw new Error('nothing was taken')
  await outbox.delivered(again)
  expect((await outbox.take(url, () => Date.now() + 60_000))?.items).toMatchObject([{ content: { sid: 'j2' } }])
  await outbox.delivered(slow)
  await outbox.failed(slow, 'late', Date.now() - 1)
  await outbox.failed(slow, 'late', undefined)
  await outbox.split(slow, 'late')
  expect(await outbox.take(url, () => Date.now() + 60_000)).toBeUndefined()
})

test('as many as a changed directory of people brings are told in one go', async () => {
  const { outbox } = await bank()
  const url = 'https://localhost:1/notify'
  const people = Array.from({ length: 20_000 }, (_, i) => update(url, `person-${i}`, `${i}`))
  await enqueue(outbox, ...people)
  const take = () => outbox.take(url, () => Date.now() + 60_000)
  const deliveries: Delivery[] = []
  for (let delivery = await take(); delivery; delivery = await take()) deliveries.push(delivery)
  expect(deliveries.flatMap(({ items }) => items)).toHaveLength(people.length)
  expect((await outbox.list()).map(({ events }) => events)).toEqual(
    Array(people.length / maxEventsPerToken).fill(maxEventsPerToken),
  )
})

test('what does not arrive is given up when its time is over', async () => {
  const to = await receiver()
  to.answers.push(503)
  const { outbox, dispatcher } = await bank(':memory:', 0)
  dispatcher.start()
  await enqueue(outbox, update(to.url, 'jana', '1'))
  await until(async () => (await outbox.list())[0]?.given_up === true)
  expect((await outbox.list())[0]).toMatchObject({ problem: 'status 503', given_up: true })
})

test('a thousand changes for ten receivers, one of them dead: the others have theirs without delay', async () => {
  const receivers = await Promise.all(Array.from({ length: 10 }, () => receiver()))
  const dead = receivers[3] as Receiver
  dead.answers.push(...Array.from({ length: 1000 }, () => 'hang' as const))
  const { outbox, dispatcher } = await bank()
  dispatcher.start()
  const began = performance.now()
  for (let change = 0; change < 1000; change += 1) {
    const person = `person-${change % 100}`
    await enqueue(outbox, ...receivers.map(({ url }) => update(url, person, `${person} ${change}`)))
  }
  const alive = receivers.filter((one) => one !== dead)
  const arrived = ({ arrivals }: Receiver) => arrivals.reduce((sum, { events }) => sum + events.length, 0)
  await until(() => alive.every((one) => arrived(one) === 1000), 15_000)
  const seconds = (performance.now() - began) / 1000
  for (const { arrivals } of alive) {
    const events = arrivals.flatMap((arrival) => arrival.events)
    const ofOne = events.filter((event) => event.startsWith('person-7 '))
    expect(ofOne).toEqual(Array.from({ length: 10 }, (_, round) => `person-7 ${round * 100 + 7}`))
  }
  expect(dead.arrivals).toEqual([])
  // A dead receiver takes 5 s for each attempt: who waits for it cannot be done by then.
  expect(seconds).toBeLessThan(15)
})

test('pauses grow, are never the same, and end at a quarter of an hour', () => {
  expect([1, 2, 3, 20].map((attempt) => pauseAfter(attempt, 0))).toEqual([1000, 2000, 4000, 900_000])
  expect([1, 20].map((attempt) => pauseAfter(attempt, 1))).toEqual([500, 450_000])
  expect(askedPause('120', 0)).toBe(120_000)
  expect(askedPause('Thu, 01 Jan 1970 00:01:00 GMT', 0)).toBe(60_000)
  expect([askedPause('soon', 0), askedPause(null, 0), askedPause('99999', 0)]).toEqual([0, 0, 900_000])
})

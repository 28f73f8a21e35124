import { examine } from '../../conformance/examine.js'
import { rulesKept, startForeignBank } from '../../conformance/testing/foreign-bank.js'
import type { Routes } from '../../conformance/testing/https-server.js'
import { lies } from './testing/lies.js'

/** What may not be lied about for the harness to begin: `LIES=all` has every route tell every lie, and prints what came of it. */
const whole = process.env.LIES === 'all'

const discovery = 'GET /.well-known/openid-configuration'

/** How long this process has worked, in milliseconds of processor time. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * Begins to look for how long nothing else is done at a time, and gives what ends that and tells the longest, in milliseconds of work: in
 * those that the machine gave to others this process stalled nobody.
 */
function watchStalls(): () => number {
  let longest = 0
  let last = { at: performance.now(), worked: processorMs() }
  const look = () => {
    const now = { at: performance.now(), worked: processorMs() }
    longest = Math.max(longest, Math.min(now.at - last.at, now.worked - last.worked))
    last = now
  }
  const timer = setInterval(look, 5)
  return () => {
    look()
    clearInterval(timer)
    return longest
  }
}

/** The bank tells a lie at these routes, and the harness examines it. */
async function examined(lie: keyof typeof lies, lying: (route: string) => boolean) {
  const bank = await startForeignBank((own: Routes) =>
    Object.fromEntries(
      Object.keys(own).flatMap((route) => (lying(route) ? [[route, lies[lie] ?? (() => 'hang')]] : [])),
    ),
  )
  const longestSince = watchStalls()
  const began = performance.now()
  try {
    const { results } = await examine({
      target: { ...bank.target, timeoutSeconds: 1, concurrency: 4 },
      only: rulesKept,
      boundSeconds: 5,
    })
    const stall = longestSince()
    // A page that no target file describes is an error of that file.
    const errors = results.filter(({ status, targetAtFault }) => status === 'error' && !targetAtFault).length
    return { errors, milliseconds: performance.now() - began, stall }
  } finally {
    longestSince()
    await bank.close()
  }
}

/** Where the lie is told: at each endpoint alone, or at all that come after discovery. */
const places: [string, (route: string) => boolean][] = whole
  ? [
      ...[
        'POST /register',
        'GET /auth',
        'GET /login',
        'POST /token',
        'GET /userinfo',
        'GET /.well-known/jwks.json',
      ].map((only): [string, (route: string) => boolean] => [only, (route) => route === only]),
      ['everywhere', (route) => route !== discovery],
    ]
  : [
      ['at the pages, the tokens and the keys', (route) => /\/(login|userinfo|jwks\.json)$/.test(route)],
      // Where a login comes before it.
      ['at userinfo', (route) => route === 'GET /userinfo'],
    ]

/** In the short form, what is told within milliseconds; the others cost the second that an answer may take, again and again. */
const slow = [
  'a byte at a time',
  'a head without a body',
  'a page that multiplies as it is parsed',
  'a tag of 100,000 attributes',
  'a page of elements in each other',
]

const told = Object.keys(lies).filter((lie) => whole || !slow.includes(lie))

/**
 * Milliseconds that nothing else may be done for: those of thirty times 50,000 objects that are parsed. That was a second where it was set,
 * on a machine with nothing else to do, and is as much work on any other.
 */
function longestStall(): number {
  const text = JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ name: `member ${i}`, list: [i] })))
  const took = Array.from({ length: 7 }, () => {
    const before = processorMs()
    JSON.parse(text)
    return processorMs() - before
  })
  return 30 * (took.toSorted((a, b) => a - b)[3] ?? 0)
}

test.each(places)('a bank that lies %s neither stops the harness, nor is an error of it', async (_place, lying) => {
  const lost: string[] = []
  const rows: string[] = []
  const stallAtMost = longestStall()
  for (const lie of told) {
    const { errors, milliseconds, stall } = await examined(lie, lying)
    rows.push(
      `${lie.padEnd(46)} ${Math.round(milliseconds)} ms, longest stall ${Math.round(stall)} ms, ${errors} errors`,
    )
    // A stall is what SIGTERM, and every other answer, waits for.
    if (errors > 0 || stall > stallAtMost || milliseconds > 60_000) lost.push(rows.at(-1) ?? '')
  }
  if (whole) console.log([...rows, `${lost.length} of ${rows.length} lost`].join('\n'))
  expect(lost).toEqual([])
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

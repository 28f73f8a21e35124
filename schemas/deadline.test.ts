import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { deadline } from './deadline.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Resolves with the name of the reason. */
const aborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason.name)))

test('every deadline comes, though nobody holds its signal and memory is collected meanwhile', async () => {
  const held = new AbortController()
  const all = Array.from({ length: 100 }, (_, i) => aborted(i % 2 ? deadline(300) : deadline(300, held.signal)))
  const collecting = setInterval(collect, 50)
  expect(new Set(await Promise.all(all))).toEqual(new Set(['TimeoutError']))
  clearInterval(collecting)
})

test('another signal ends it before', async () => {
  const other = new AbortController()
  const signal = deadline(60_000, other.signal)
  other.abort(new DOMException('enough', 'AbortError'))
  expect(signal.reason).toMatchObject({ name: 'AbortError', message: 'enough' })
})

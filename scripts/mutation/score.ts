import type { Numbered } from './build.js'
import type { Reach } from './reach.js'
import type { Result } from './record.js'
import { type Room, rooms } from './rooms.js'
import { type Verdict, verdicts } from './verdict.js'

/** How often each verdict was given in a room; equivalent is what was judged to be. */
export interface Score {
  room: Room
  /** Mutants that have a verdict, whatever it is, or are equivalent. */
  judged: number
  counts: Readonly<Record<Verdict | 'equivalent', number>>
  /** Of the mutants that rules reach in a bank that runs and that are not equivalent, the share that a rule failed. */
  caught: number | undefined
  /** The same share where those count as well that no rule gives anything by which they would make a difference. */
  ofAll: number | undefined
}

export function scoresOf(
  mutants: readonly Numbered[],
  results: ReadonlyMap<string, Result>,
  equivalent: ReadonlyMap<string, string>,
): Score[] {
  return rooms.flatMap((room) => {
    const ids = mutants.filter((one) => one.room === room).map(({ id }) => id)
    const same = ids.filter((id) => equivalent.has(id)).length
    const found = ids.filter((id) => !equivalent.has(id)).flatMap((id) => results.get(id) ?? [])
    if (found.length === 0) return []
    const entries = verdicts.map((verdict) => [verdict, found.filter((one) => one.verdict === verdict).length])
    const counts = { ...Object.fromEntries(entries), equivalent: same } as Score['counts']
    const seen = counts.killed + counts.blocked + counts.survived + counts['timed out']
    const share = (count: number) => (count > 0 ? counts.killed / count : undefined)
    return [{ room, judged: found.length + same, counts, caught: share(seen), ofAll: share(seen + counts.unreached) }]
  })
}

const percent = (share: number | undefined) => (share === undefined ? '' : `${Math.round(share * 100)} %`)

/** As a table of Markdown. */
export function tableOf(scores: readonly Score[]): string {
  const columns = [...verdicts, 'equivalent'] as const
  const rows = scores.map(({ room, judged, counts, caught, ofAll }) => [
    room,
    String(judged),
    ...columns.map((column) => String(counts[column])),
    percent(caught),
    percent(ofAll),
  ])
  return inTable(['room', 'judged', ...columns, 'caught', 'of all'], rows)
}

function inTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** How many of all mutants make a difference under some rule, as a table of Markdown. */
export function reachTableOf(mutants: readonly Numbered[], { rulesOf }: Pick<Reach, 'rulesOf'>): string {
  const rows = rooms.flatMap((room) => {
    const all = mutants.filter((one) => one.room === room)
    if (all.length === 0) return []
    const reached = all.filter(({ number }) => rulesOf(number).length > 0).length
    return [[room, String(all.length), String(reached), percent(reached / all.length)]]
  })
  return inTable(['room', 'mutants', 'reached', 'of all'], rows)
}

import { UsageError } from '../output.js'
import type { Target } from './target.js'

/**
 * The target with the people of one pool, and those of none: runs that examine a bank at the same time each take people of their own.
 * @param wanted the pool by its name; else the parts of a run take one pool after the other, and a whole run takes everybody
 * @throws UsageError when nobody is of that pool
 */
export function withPool(target: Target, wanted: { pool?: string; shard?: { part: number } }): Target {
  const pools = [...new Set(target.people.flatMap(({ pool }) => pool ?? []))]
  const { pool = wanted.shard && pools[(wanted.shard.part - 1) % pools.length] } = wanted
  if (pool === undefined) return target
  if (pools.includes(pool))
    return { ...target, people: target.people.filter((person) => (person.pool ?? pool) === pool) }
  const known = pools.length > 0 ? `there are ${pools.join(', ')}` : 'nobody has people[].pool'
  throw new UsageError(`--pool ${pool}: the target file has no person of that pool; ${known}`)
}

import { LRUCache } from 'lru-cache'

/**
 * What is remembered of late, by a name: of more than `most` those are forgotten that were longest unused.
 *
 * lru-cache lays room for a bound by number out at once, which costs each start of a bank milliseconds for each of these, though few banks
 * come to need it; for a bound by size it does not.
 */
export class Latest<Value extends {}> extends LRUCache<string, Value> {
  /** @param milliseconds after which an entry is forgotten; never when left out */
  constructor(most: number, milliseconds?: number) {
    super({ maxSize: most, sizeCalculation: () => 1, ...(milliseconds !== undefined && { ttl: milliseconds }) })
  }
}

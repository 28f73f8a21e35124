/** Things of the same key together, the keys in the order in which they come first. */
export function alike<Thing>(things: readonly Thing[], key: (thing: Thing) => string): [Thing, ...Thing[]][] {
  const groups = new Map<string, [Thing, ...Thing[]]>()
  for (const thing of things) {
    const group = groups.get(key(thing))
    if (group) group.push(thing)
    else groups.set(key(thing), [thing])
  }
  return [...groups.values()]
}

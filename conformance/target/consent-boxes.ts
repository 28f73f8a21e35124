import type { Page } from './login-settings.js'

type Asking = Pick<Page, 'scope' | 'boxes'>

/** Whether scopes can be chosen on a page. */
export function asksAboutScopes({ scope, boxes }: Asking): boolean {
  return scope !== undefined || boxes !== undefined
}

/** Selector of what denies a scope on a page: the box that stands for it and for others, else the one of its own. */
export function boxOf({ scope: own, boxes = {} }: Asking, scope: string): string | undefined {
  const [shared] = Object.entries(boxes).find(([, scopes]) => scopes.includes(scope)) ?? []
  return shared ?? own?.replaceAll('{scope}', scope)
}

/**
 * Scopes by the box that stands for them: who unticks one unticks all of its group.
 * @param pages of the target file; scopes that have a box in common on any of them belong together
 * @param scopes the groups are in their order, and so are those of a group
 */
export function byBox(pages: Iterable<Asking>, scopes: readonly string[]): string[][] {
  let groups = scopes.map((scope) => [scope])
  for (const together of [...pages].flatMap(({ boxes = {} }) => Object.values(boxes))) {
    const isIn = (group: readonly string[]) => group.some((scope) => together.includes(scope))
    const first = groups.find(isIn)
    const joined = scopes.filter((scope) => groups.some((group) => isIn(group) && group.includes(scope)))
    groups = groups.flatMap((group) => (group === first ? [joined] : isIn(group) ? [] : [group]))
  }
  return groups
}

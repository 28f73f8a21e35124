import { claimsOf, dataScopes, userDataEndpoints } from '../bank/claims.js'
import { unknownPattern } from '../harness/selection.js'
import { nearest } from '../nearest.js'
import { rules } from '../rules/index.js'
import type { Need } from '../target/needs.js'
import type { Target } from '../target/target.js'

/** Names of the target file that no rule knows, though one of a name much like it would use what stands there; a line each. */
export function namesUnknown({
  people,
  pages,
  notExamined = [],
}: Pick<Target, 'people' | 'pages' | 'notExamined'>): string[] {
  const needs = rules.flatMap((rule) => rule.needs)
  const kinds = ['full', 'changing', ...namesAfter(needs, 'person:').flat()]
  const actionsAsked = namesAfter(needs, 'action:')
  const pageNames = ['sign-in', 'consent', ...actionsAsked.flatMap(([page = '']) => page)]
  const claims = dataScopes.flatMap((scope) => userDataEndpoints.flatMap((endpoint) => claimsOf(endpoint, [scope])))
  const claimNames = claims.map((name) => name.split('.')[0] ?? name)
  return [
    ...people.flatMap(({ kinds: own, claims: known = {} }, i) => [
      ...own.flatMap((kind) => told(`people.${i}.kinds`, kind, kinds, `no rule asks for a person of kind ${kind}`)),
      ...Object.keys(known).flatMap((name) =>
        told(`people.${i}.claims.${name}`, name, claimNames, 'the specification has no claim of this name'),
      ),
    ]),
    ...[...pages].flatMap(([name, { actions, boxes = {}, as = name }]) => [
      ...told(`login.pages.${name}`, as, pageNames, 'no rule knows a page of this name'),
      ...Object.keys(actions).flatMap((action) =>
        told(
          `login.pages.${name}.actions.${action}`,
          action,
          ['submit', ...actionsAsked.flatMap(([page, asked = '']) => (page === as ? asked : []))],
          'no rule knows an action of this name',
        ),
      ),
      ...Object.values(boxes)
        .flat()
        .flatMap((scope) =>
          told(`login.pages.${name}.boxes`, scope, dataScopes, 'the specification has no scope of this name'),
        ),
    ]),
    ...notExamined.flatMap(({ rules: patterns }, i) =>
      patterns.flatMap((pattern) => {
        const unknown = unknownPattern(pattern, rules)
        return unknown === undefined ? [] : [`not_examined.${i}.rules: ${unknown}`]
      }),
    ),
  ]
}

/** What follows a prefix in needs, by its parts. */
function namesAfter(needs: readonly Need[], prefix: string): string[][] {
  return needs.flatMap((need) => (need.startsWith(prefix) ? [need.slice(prefix.length).split('/')] : []))
}

/** Other names may stand there too: only what looks like another way to write a known one is told. */
function told(place: string, name: string, known: readonly string[], what: string): string[] {
  const written = known.filter((one) => Math.abs(one.length - name.length) <= 2)
  const near = known.includes(name) ? [] : nearest(name, written, 0.75)
  return near.length > 0 ? [`${place}: ${what}; did you mean ${near.join(', ')}?`] : []
}

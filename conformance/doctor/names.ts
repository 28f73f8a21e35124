import { nearest } from '../nearest.js'
import { rules } from '../rules/index.js'
import type { Need } from '../target/needs.js'
import type { Target } from '../target/target.js'

/** Names of the target file that no rule knows, though one of a name much like it would use what stands there; a line each. */
export function namesUnknown({ people, pages }: Pick<Target, 'people' | 'pages'>): string[] {
  const needs = rules.flatMap((rule) => rule.needs)
  const kinds = ['full', 'changing', ...namesAfter(needs, 'person:')]
  const pageNames = ['sign-in', 'consent', ...namesAfter(needs, 'action:').map((name) => name.split('/')[0] ?? name)]
  return [
    ...people.flatMap(({ kinds: own }, i) =>
      own.flatMap((kind) => told(`people.${i}.kinds`, kind, kinds, `no rule asks for a person of kind ${kind}`)),
    ),
    ...[...pages.keys()].flatMap((name) =>
      told(`login.pages.${name}`, name, pageNames, 'no rule knows a page of this name'),
    ),
  ]
}

function namesAfter(needs: readonly Need[], prefix: string): string[] {
  return needs.flatMap((need) => (need.startsWith(prefix) ? [need.slice(prefix.length)] : []))
}

/** Other names may stand there too: only what looks like another way to write a known one is told. */
function told(place: string, name: string, known: readonly string[], what: string): string[] {
  const written = known.filter((one) => Math.abs(one.length - name.length) <= 2)
  const near = known.includes(name) ? [] : nearest(name, written, 0.75)
  return near.length > 0 ? [`${place}: ${what}; did you mean ${near.join(', ')}?`] : []
}

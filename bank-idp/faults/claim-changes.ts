import { omit } from './fault.js'
import type { Change } from './user-data-seam.js'

/** Changes of claims that many mistakes are made of. */

/** Leaves out claims. */
export function lost(...names: string[]): Change {
  return (all) => omit(all, ...names)
}

/** Changes a claim where it comes; where it does not, nothing happens. */
export function value(name: string, change: (value: unknown) => unknown): Change {
  return (all) => (name in all ? { ...all, [name]: change(all[name]) } : all)
}

/** Changes a claim that is a list. */
export function list(name: string, change: (list: unknown[]) => unknown[]): Change {
  return value(name, (all) => change(all as unknown[]))
}

/** Changes each element of a claim that is a list of objects. */
export function each(name: string, change: (one: Record<string, unknown>) => Record<string, unknown>): Change {
  return list(name, (all) => all.map((one) => change(one as Record<string, unknown>)))
}

/** For `each`: changes a member where it comes. */
export function member(name: string, change: (value: unknown) => unknown) {
  return (one: Record<string, unknown>): Record<string, unknown> =>
    name in one ? { ...one, [name]: change(one[name]) } : one
}

/** Changes all where a scope was granted. */
export function whereGranted(scope: string, change: Change): Change {
  return (all, bank) => (String(all.txn).split(':').includes(scope) ? change(all, bank) : all)
}

/** Changes all where a claim is lacking though its scope was granted. */
export function whereLacking(name: string, scope: string, change: Change): Change {
  return whereGranted(scope, (all, bank) => (name in all ? all : change(all, bank)))
}

/** Changes all where nothing but openid was granted. */
export function whereOpenidAlone(change: Change): Change {
  return (all, bank) => (/:openid$/.test(String(all.txn)) ? change(all, bank) : all)
}

import type { HttpResponse } from '../http/http.js'
import type { Conversation } from './conversation.js'

/** What stands on a page for a scope: nothing, a box that the person can change, or one that they cannot. */
export type ConsentBox = 'absent' | 'free' | 'fixed'

/** The box of a scope on a page that the bank showed, found as `scope` of `login.pages` says. */
export function consentBox({ run }: Conversation, { document }: HttpResponse, scope: string): ConsentBox {
  const pages = [...run.target.pages.values()].filter(({ when }) => document(when).length > 0)
  const boxes = pages.flatMap((page) =>
    page.scope === undefined ? [] : document(page.scope.replaceAll('{scope}', scope)).toArray(),
  )
  if (boxes.length === 0) return 'absent'
  const fixed =
    '[disabled], [readonly], [type=hidden], [aria-disabled=true], [aria-readonly=true], fieldset[disabled] *'
  return boxes.every((box) => document(box).is(fixed)) ? 'fixed' : 'free'
}

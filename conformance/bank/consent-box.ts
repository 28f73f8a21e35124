import type { HttpResponse } from '../http/http.js'
import { boxOf, byBox } from '../target/consent-boxes.js'
import type { Conversation } from './conversation.js'

/** What stands on a page for a scope: nothing, a box that the person can change, or one that they cannot. */
export type ConsentBox = 'absent' | 'free' | 'fixed'

/** The box of a scope on a page that the bank showed, found as `scope` or `boxes` of `login.pages` says. */
export function consentBox({ run }: Conversation, { document }: HttpResponse, scope: string): ConsentBox {
  const pages = [...run.target.pages.values()].filter(({ when }) => document(when).length > 0)
  const boxes = pages.flatMap((page) => {
    const selector = boxOf(page, scope)
    return selector === undefined ? [] : document(selector).toArray()
  })
  if (boxes.length === 0) return 'absent'
  const fixed =
    '[disabled], [readonly], [type=hidden], [aria-disabled=true], [aria-readonly=true], fieldset[disabled] *'
  return boxes.every((box) => document(box).is(fixed)) ? 'fixed' : 'free'
}

/** Scopes by the box of the consent page that stands for them, as `boxes` of `login.pages` says: one of each group cannot be unticked alone. */
export function consentBoxes({ run }: Conversation, scopes: readonly string[]): string[][] {
  return byBox(run.target.pages.values(), scopes)
}

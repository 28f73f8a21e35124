import type { Denials } from './denials.js'
import type { Callback, Visit } from './end-user.js'
import type { PutOff } from './put-off.js'

/**
 * The end of a way that led back to the client.
 *
 * @throws TargetError where what leads to a code was to be denied, and no page asked; Skip where no page had what was to be done
 */
export function ended(callback: Callback, denials: Denials, putOff: PutOff): Visit {
  if (!callback.query.has('error')) {
    denials.expectDone()
    putOff.expectDone()
  }
  return { response: callback.response, pages: callback.pages, callback }
}

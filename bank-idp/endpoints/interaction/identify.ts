import { constantTimeEqual } from '../../constant-time-equal.js'
import type { BankContext } from '../../context.js'
import { identifyPage } from '../../pages/signing.js'
import { namedPerson } from '../../signing-request.js'
import { completePasswordLogin } from './complete-password-login.js'
import { initialsOf } from './display-name.js'
import type { Page, Step } from './step.js'

/** Is it the person whom the request names? Who it is need not be told: the initial identification is skipped. Nobody is authenticated yet. */
export function identify(context: Pick<BankContext, 'blocks' | 'people'>): Page {
  const { people } = context
  const named = ({ signing }: Step) => people.byId((signing && namedPerson(signing)) ?? '')

  function show(step: Step, wrong = false): void {
    const { client, page } = step
    const person = named(step)
    const clientName = client.record.client_name
    step.show(identifyPage({ page, clientName, initials: person ? initialsOf(person) : '', wrong }), wrong ? 400 : 200)
  }

  return {
    show,
    async submit(step, form) {
      const person = named(step)
      if (form.action === 'decline') return step.end('authentication-declined')
      if (!person || !constantTimeEqual(String(form.password ?? ''), person.password)) return show(step, true)
      return completePasswordLogin(context, step, person, { identify: {} })
    },
  }
}

import { constantTimeEqual } from '../../constant-time-equal.js'
import type { BankContext } from '../../context.js'
import { signInPage } from '../../pages/sign-in.js'
import { completePasswordLogin } from './complete-password-login.js'
import { displayName } from './display-name.js'
import type { Page, Step } from './step.js'

/** Who is it? A password reaches loa2. */
export function signIn(context: Pick<BankContext, 'blocks' | 'people'>): Page {
  const { people } = context

  function show({ client, page, show: send }: Step, wrong = false): void {
    const listed = people.introduced().map((person) => ({
      login: person.login,
      name: displayName(person),
      reason: person.reason,
    }))
    send(signInPage({ page, clientName: client.record.client_name, people: listed, wrong }), wrong ? 400 : 200)
  }

  return {
    show,
    async submit(step, form) {
      if (form.action === 'decline') return step.end('authentication-declined')
      const chosen = typeof form.person === 'string' ? people.byLogin(form.person) : undefined
      const named = typeof form.login === 'string' ? people.byLogin(form.login.trim()) : undefined
      const known = named && constantTimeEqual(String(form.password ?? ''), named.password) ? named : undefined
      const person = chosen ?? known
      if (!person) return show(step, true)
      return completePasswordLogin(context, step, person)
    },
  }
}

import { signInPage } from '../../pages/sign-in.js'
import type { Rooms } from '../../rooms.js'
import { sameText } from '../../same-text.js'
import { admit } from './admit.js'
import { displayName } from './display-name.js'
import type { Page, Step } from './step.js'

/** Who is it? A password reaches loa2. */
export function signIn(rooms: Pick<Rooms, 'people' | 'blocks'>): Page {
  const { people } = rooms

  function show({ client, page, show: send }: Step, wrong = false): void {
    const shown = people.introduced().map((person) => ({
      login: person.login,
      name: displayName(person),
      reason: person.reason,
    }))
    send(signInPage({ page, application: client.record.client_name, people: shown, wrong }), wrong ? 400 : 200)
  }

  return {
    show,
    async submit(step, form) {
      if (form.action === 'decline') return step.end('authentication-declined')
      const chosen = typeof form.person === 'string' ? people.byLogin(form.person) : undefined
      const named = typeof form.login === 'string' ? people.byLogin(form.login.trim()) : undefined
      const known = named && sameText(String(form.password ?? ''), named.password) ? named : undefined
      const person = chosen ?? known
      if (!person) return show(step, true)
      return admit(rooms, step, person)
    },
  }
}

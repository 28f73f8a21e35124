import { identifyPage } from '../../pages/signing.js'
import type { Rooms } from '../../rooms.js'
import { sameText } from '../../same-text.js'
import { admit } from './admit.js'
import { displayName } from './display-name.js'
import type { Page, Step } from './step.js'

/** Is it the person whom the request names? Who it is need not be told: the initial identification is skipped. */
export function identify(rooms: Pick<Rooms, 'people' | 'blocks'>): Page {
  const { people } = rooms
  const named = ({ signing }: Step) => people.byId(signing?.personId ?? signing?.hintedId ?? '')

  function show(step: Step, wrong = false): void {
    const { client, page } = step
    const person = named(step)
    const application = client.record.client_name
    step.show(identifyPage({ page, application, person: person ? displayName(person) : '', wrong }), wrong ? 400 : 200)
  }

  return {
    show,
    async submit(step, form) {
      const person = named(step)
      if (form.action === 'decline') return step.end('authentication-declined')
      if (!person || !sameText(String(form.password ?? ''), person.password)) return show(step, true)
      return admit(rooms, step, person, { identify: {} })
    },
  }
}

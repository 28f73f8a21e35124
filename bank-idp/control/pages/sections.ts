import { answers } from './answers.js'
import { client, clients } from './clients.js'
import { everything } from './everything.js'
import { faults } from './faults.js'
import { logins } from './logins.js'
import { outbox } from './outbox.js'
import { people, person } from './people.js'
import { request } from './request.js'
import { requests } from './requests.js'
import { state } from './state.js'
import type { Section } from './view.js'

/** The pages of the bench. */
export const sections: readonly Section[] = [
  requests,
  request,
  clients,
  client,
  people,
  person,
  logins,
  outbox,
  faults,
  answers,
  state,
  everything,
]

/** What can be gone to from everywhere. */
export const destinations = sections.flatMap(({ path, name }) => (name === undefined ? [] : [{ path, name }]))

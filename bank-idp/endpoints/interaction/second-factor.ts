import { clientNameOf } from '../../client.js'
import { nowSeconds } from '../../clock.js'
import { secondFactorPage } from '../../pages/second-factor.js'
import { displayName } from './display-name.js'
import type { Page } from './step.js'

/** A second factor, which reaches loa3. */
export const secondFactor: Page = {
  show({ client, person, page, show }) {
    if (!person) throw new Error('no person has signed in')
    const { amr } = person
    show(
      secondFactorPage({
        page,
        clientName: clientNameOf(client),
        endUser: displayName(person),
        bySms: amr.includes('sms'),
      }),
    )
  },
  async submit({ person, goOn, end }, form) {
    if (form.action !== 'confirm' || !person) return end('unfinished')
    return goOn({ login: { accountId: person.id, acr: 'loa3', amr: person.amr, ts: nowSeconds() }, second_factor: {} })
  },
}

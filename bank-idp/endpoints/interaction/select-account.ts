import { clientNameOf } from '../../client.js'
import { nowSeconds } from '../../clock.js'
import type { BankContext } from '../../context.js'
import { accountPage } from '../../pages/account.js'
import { displayName } from './display-name.js'
import type { Page, Step } from './step.js'

/** A choice among the identities of a person; one who has a single identity confirms it (prompt=select_account). */
export function selectAccount({ people }: Pick<BankContext, 'people'>): Page {
  function accountsOf({ person }: Step): { id: string; label: string }[] {
    if (!person) throw new Error('no person has signed in')
    const accounts = people.accountsOf(person.id)
    return accounts.length > 0 ? [...accounts] : [{ id: person.id, label: displayName(person) }]
  }

  return {
    show(step) {
      const { client, page, show } = step
      show(accountPage({ page, clientName: clientNameOf(client), accounts: accountsOf(step) }))
    },
    async submit(step, form) {
      const chosen = accountsOf(step).find(({ id }) => id === form.account)
      if (form.action === 'cancel') return step.end('unfinished')
      if (!chosen)
        return step.show(
          accountPage({ page: step.page, clientName: clientNameOf(step.client), accounts: accountsOf(step) }),
          { status: 400, refusal: { code: 'invalid_request', check: 'select-account/known' } },
        )
      // To choose an identity is not to authenticate: that was before.
      const { acr, amr, signedInAt: ts = nowSeconds() } = step
      return step.goOn({ login: { accountId: chosen.id, acr, amr, ts }, select_account: {} })
    },
  }
}

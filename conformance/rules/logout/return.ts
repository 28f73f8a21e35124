import { refreshOf } from '../../end-user/refresh.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toHearLogout } from '../support/heard-tokens.js'

export const returned = rule({
  id: 'logout/returned',
  requirement: 'LOGOUT-4',
  places: ['parameter=post_logout_redirect_uri value=right', 'parameter=state'],
  title: 'Where post_logout_redirect_uris can be registered, the person comes back there, with state',
  needs: [...toHearLogout, 'browsers'],
  async check({ bank, expect, skip, warn }) {
    const { back, response } = await bank.confirmedLogout()
    if (!back) return skip('the bank does not declare frontchannel_logout_supported (AMB-52)')
    if (response.status >= 400) return skip(`the bank takes no logout without an id_token (status ${response.status})`)
    const { query, uri, state } = back
    // That it is led there, and what it is told, is RP-Initiated Logout 1.0 section 3, not the specification.
    if (query === undefined) return warn(`the browser is not led back to ${uri}`)
    const states = query.getAll('state')
    expect(states.length, 'the number of states of the way back', response).toBeAtMost(1)
    if (states.length === 0) warn('the way back carries no state')
    else expect(states, 'state of the way back', response).toEqual([state])
  },
})

/** Where an answer leads a browser, by a redirect or by its page. */
function leadsTo(response: HttpResponse): string | undefined {
  return response.location ?? refreshOf(response)?.location
}

export const unregisteredReturn = rule({
  id: 'logout/unregistered-return',
  requirement: 'LOGOUT-4',
  places: ['unknown', 'prefix', 'superset'].map((value) => `parameter=post_logout_redirect_uri value=${value}`),
  title:
    'A logout leads to no post_logout_redirect_uri that is not registered: no other one, nor one that begins alike',
  needs: toHearLogout,
  async check({ bank, expect, inVariation, note, skip }) {
    if ((await bank.discovery()).value('frontchannel_logout_supported') !== true)
      return skip('the bank does not declare frontchannel_logout_supported (AMB-52)')
    const good = await bank.askToReturn((uri) => uri)
    if (leadsTo(good) === undefined) note('without a session the registered address is not led to either')
    const others: Record<string, (uri: string) => string> = {
      'another address': () => 'https://elsewhere.example/left',
      'the beginning of the registered address': (uri) => uri.slice(0, -2),
      'the registered address with more at its end': (uri) => `${uri}/elsewhere`,
      'the registered address with a query': (uri) => `${uri}?to=elsewhere`,
      'the registered address at a host that begins alike': (uri) =>
        uri.replace('.example/', '.example.elsewhere.example/'),
    }
    for (const [what, change] of Object.entries(others)) {
      await inVariation(what, async () => {
        const response = await bank.askToReturn(change)
        const led = leadsTo(response)
        const unregistered = led !== undefined && !led.startsWith(bank.address)
        expect(unregistered ? led : undefined, 'where the answer leads the browser', response).toBe(undefined)
      })
    }
  },
})

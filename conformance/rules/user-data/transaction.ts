import { claimNames, claimsOf, covers, userDataEndpoints } from '../../bank/claims.js'
import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { grantedOf, loginsOf } from './checks.js'

export const transaction = rule({
  id: 'user-data/transaction',
  requirement: 'DATA-21',
  places: userDataEndpoints.flatMap((endpoint) =>
    ['superset', 'missing'].map((value) => `endpoint=${endpoint} value=${value}`),
  ),
  title: 'txn names the scopes used in the call, behind what tells the transaction',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    for (const endpoint of userDataEndpoints) {
      for (const { scopes, login } of await loginsOf(tools, endpoint)) {
        const { claims, response } = await bank.userData[endpoint](login)
        const txn = expect(claims.txn, `txn of ${endpoint}`, response).toBeText()
        // That it begins with a UUID is a matter of its shape (DATA-17).
        const [, ...named] = txn.split(':')
        const granted = ['openid', ...grantedOf(login, scopes)]
        const foreign = named.filter((scope) => !granted.includes(scope))
        expect(foreign, `the scopes in txn of ${endpoint} that were not granted`, response).toEqual([])
        const used = granted.filter((scope) =>
          claimNames(claims).some((name) => covers(claimsOf(endpoint, [scope]), name)),
        )
        const unnamed = used.filter((scope) => !named.includes(scope))
        expect(unnamed, `the scopes with claims that txn of ${endpoint} does not name`, response).toEqual([])
      }
    }
  },
})

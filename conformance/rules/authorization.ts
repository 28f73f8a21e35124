import { toLogIn } from '../harness/needs.js'
import { rule } from '../harness/rule.js'

export const code = rule({
  id: 'authorization/code',
  requirement: 'AUTH-1',
  title: 'A successful request ends in a 302 to the redirect URI with code and the unchanged state in the query',
  needs: [...toLogIn, 'redirect'],
  async check({ bank, expect }) {
    const { callback, parameters } = await bank.authorization()
    // Only a redirect to the registered redirect URI is taken for a callback.
    const { response, query, fragment } = callback
    expect(response).toHaveStatus(302)
    expect(query.get('error'), 'error of the callback', response).toBe(null)
    expect(query.get('code'), 'code in the query of the callback', response).toBeText()
    expect([...query.getAll('state')], 'every state in the query of the callback', response).toEqual([parameters.state])
    expect([...fragment.keys()], 'the parameters in the fragment of the callback', response).toEqual([])
  },
})

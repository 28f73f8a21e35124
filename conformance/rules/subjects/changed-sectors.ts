import { userDataEndpoints } from '../../bank/claims.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { change, demandPairwise, first, subAt, toCompare } from '../support/sectors.js'

/** A PUT may name another sector: what becomes of the subs. */

export const changedSector = rule({
  id: 'subjects/changed-sector',
  requirement: 'SUB-2',
  places: ['use=after-put', 'use=after-put value=missing'],
  title: 'A sector_identifier_uri that a PUT adds is the sector from then on, and one that it takes away no longer',
  needs: [...toCompare, 'page-detection'],
  async check({ bank, expect, skip }) {
    await demandPairwise({ bank, skip })
    const clientMetadata = { client_name: 'Conformance other sector', redirect_uris: [first] }
    const session = bank.session({ clientMetadata })
    await session.signIn()
    const asked = async () => bank.subjectInUserinfo(await bank.token.fresh({ authorization: await session.ask({}) }))
    const sector_identifier_uri = await bank.sectorDocument([first])
    await change(bank, clientMetadata, { sector_identifier_uri })
    const named = await subAt(bank, { redirect_uris: [first], sector_identifier_uri })
    expect(await asked(), 'the sub after a PUT that names another sector').toBe(named)
    await change(bank, clientMetadata, {})
    const unnamed = await subAt(bank, { redirect_uris: [first] })
    expect(await asked(), 'the sub after a PUT that leaves sector_identifier_uri out').toBe(unnamed)
  },
})

export const ofEarlierLogin = rule({
  id: 'subjects/of-earlier-login',
  requirement: 'SUB-7',
  places: ['use=after-put member=sector_identifier_uri'],
  title: 'Tokens of before a PUT that names another sector lead to the sub of their id_token, or are refused',
  needs: toCompare,
  async check({ bank, expect, inVariation, skip }) {
    await demandPairwise({ bank, skip })
    const clientMetadata = { client_name: 'Conformance sector of before', redirect_uris: [first] }
    const login = await bank.offlineToken.fresh({ clientMetadata })
    const { sub } = await bank.idTokenClaims(login)
    await change(bank, clientMetadata, { sector_identifier_uri: await bank.sectorDocument([first]) })
    const { authorization, accessToken } = login
    const client = await bank.client(clientMetadata)
    // Refused is what tells no sub: how, is for other rules to say.
    const expectSame = (told: unknown, what: string, response: HttpResponse) => {
      expect(response.status, `the status of ${what}`, response).toBeAtMost(499)
      if (told !== undefined) expect<unknown>(told, `sub in ${what}`, response).toBe(sub)
    }
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const response = await bank.userData[endpoint].try(login)
        const isServed = response.status === 200
        const content = isServed ? (await bank.open(endpoint, response, client)).content : undefined
        const told = content && bank.read(content, endpoint, response).payload.sub
        expectSame(told, endpoint, response)
      })
    }
    await inVariation('introspection', async () => {
      const introspected = await bank.introspection.try({ client, token: accessToken })
      expectSame(introspected.member('sub'), 'the introspection of the access token', introspected)
    })
    await inVariation('a refresh', async () => {
      const response = await bank.refresh.try({ login: { ...login, client } })
      const refreshed = { client, authorization, accessToken: String(response.member('access_token')), response }
      const told = response.member('id_token') && (await bank.idTokenClaims(refreshed)).sub
      expectSame(told, 'the id_token of a refresh', response)
    })
  },
})

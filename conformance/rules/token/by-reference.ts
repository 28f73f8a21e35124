import { rule } from '../../harness/rule.js'
import { claimsFor, demandSupport, toAskByReference, withPlace, withPlaces } from '../request-object/by-reference.js'
import { expectRefusal } from '../support/client-refusals.js'
import { givesNone, givesRefreshTokens } from '../support/known-tokens.js'

export const redirectUriByReference = rule({
  id: 'token/redirect-uri-by-reference',
  requirement: 'TOK-36',
  places: ['token=request-object value=missing'],
  title: 'A code that was asked for by request_uri is refused without redirect_uri as any other',
  needs: toAskByReference,
  async check({ bank, expect, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { places, clientMetadata, client } = await withPlaces(bank, 'codes by reference', { count: 2 })
    const askedAt = async (place = '') => {
      bank.placeRequestObject(
        place,
        await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing }),
      )
      return { clientMetadata, parameters: { request_uri: place } }
    }
    await bank.token.fresh(await askedAt(places[0]))
    const asked = await askedAt(places[1])
    const refusal = await bank.token.try(asked, ({ form }) => ({ form: { ...form, redirect_uri: undefined } }))
    expectRefusal(expect, refusal, 400, 'invalid_grant', 'invalid_request')
  },
})

export const refreshedByReference = rule({
  id: 'token/refresh-by-reference',
  requirement: 'TOK-29',
  places: ['token=request-object parameter=redirect_uri'],
  title: 'The refresh request as listed is served of a login that was asked for by request_uri',
  needs: toAskByReference,
  async check({ bank, expect, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { place, clientMetadata, client } = await withPlace(bank, 'refreshes by reference')
    if (!(await givesRefreshTokens(bank))) return skip(givesNone)
    const [first = 'openid'] = client.dataScopes
    const claims = { ...claimsFor(bank, client), scope: `openid ${first} offline_access` }
    bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
    const { response } = await bank.token.fresh({
      clientMetadata,
      scope: claims.scope,
      parameters: { ...(await bank.offlineParameters()), request_uri: place },
    })
    const refreshToken = response.member('refresh_token')
    // Which login gives one is TOK-3's.
    if (typeof refreshToken !== 'string')
      return skip('a login by request_uri for offline access gives no refresh token')
    await bank.refresh.expectBaseline()
    const refreshed = await bank.refresh.try({ login: { client, refreshToken } })
    expect(refreshed).toHaveStatus(200)
    expect(refreshed.member('access_token'), 'access_token of the refresh', refreshed).toBeText()
  },
})

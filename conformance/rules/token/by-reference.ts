import { rule } from '../../harness/rule.js'
import { claimsFor, demandSupport, toAskByReference, withPlaces } from '../request-object/by-reference.js'
import { expectRefusal } from '../support/client-refusals.js'

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

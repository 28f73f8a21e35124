import { rule } from '../../harness/rule.js'
import { claimsFor, demandSupport, toAskByReference, withPlace } from '../request-object/by-reference.js'
import { expectRefusal } from '../support/client-refusals.js'

export const redirectUriByReference = rule({
  id: 'token/redirect-uri-by-reference',
  requirement: 'TOK-36',
  places: ['token=request-object value=missing'],
  title: 'A code that was asked for by request_uri is refused without redirect_uri as any other',
  needs: toAskByReference,
  async check({ bank, expect, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { place, clientMetadata, client } = await withPlace(bank, 'codes by reference')
    const object = await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing })
    bank.placeRequestObject(place, object)
    const asked = { clientMetadata, parameters: { request_uri: place } }
    const refusal = await bank.token.try(asked, ({ form }) => ({ form: { ...form, redirect_uri: undefined } }))
    expectRefusal(expect, refusal, 400, 'invalid_grant', 'invalid_request')
  },
})

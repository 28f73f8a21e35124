import { parameterOf } from '../../bank/authorization.js'
import { claimsOf, userDataEndpoints } from '../../bank/claims.js'
import { rule } from '../../harness/rule.js'
import { claimsFor, demandSupport, toAskByReference, withPlace } from '../request-object/by-reference.js'

export const claimsByReference = rule({
  id: 'authorization/claims-ignored-by-reference',
  requirement: 'AUTH-45',
  places: ['token=request-object'],
  title: 'Valid claims in a request object are ignored as those of a query, and give nothing that no scope gives',
  needs: toAskByReference,
  async check({ bank, expect, skip, warn }) {
    const discovery = await bank.discovery()
    demandSupport(discovery, skip)
    if (discovery.member('claims_parameter_supported') === true) return skip('the bank declares the parameter claims')
    const { place, clientMetadata, client } = await withPlace(bank, 'claims by reference')
    const [asked = '', ...unasked] = client.dataScopes
    const given = userDataEndpoints.flatMap((endpoint) => claimsOf(endpoint, [asked]))
    const wanted = claimsOf('userinfo', unasked).filter((claim) => !given.includes(claim))
    if (wanted.length === 0) return skip('no scope that is not asked for leads to claims of userinfo')
    const claims = { userinfo: Object.fromEntries(wanted.map((claim) => [claim, { essential: true }])) }
    const object = await bank.makeRequestObject({ ...claimsFor(bank, client), claims }, { key: client.keys.signing })
    bank.placeRequestObject(place, object)
    const authorization = await bank.authorization.try({ clientMetadata, parameters: { request_uri: place } })
    // No sentence has such an object served: one that is refused gives nothing either.
    if (parameterOf(authorization, 'code') === null) return warn('a request object with valid claims is not served')
    const login = await bank.token.fresh({ authorization })
    const { claims: found, response } = await bank.userData.userinfo(login)
    // What comes at any login is other rules' business.
    const { claims: plain } = await bank.userData.userinfo(await bank.token())
    const surplus = Object.keys(found).filter((claim) => wanted.includes(claim) && !(claim in plain))
    expect(surplus, 'the claims of userinfo that the request object alone asks for', response).toEqual([])
  },
})

import { formatViolation, validate } from '../../../schemas/index.js'
import { withoutEmpty } from '../../bank/claims.js'
import { rule } from '../../harness/rule.js'
import { toCompareData, toLogIn, toRegister } from '../../target/needs.js'
import { checkEverythingKnown, checkNothingElse, loginForAll } from './checks.js'
import { scopePlaces } from './places.js'
import { checkEncryption, checkSigned } from './protection.js'

export const signed = rule({
  id: 'userinfo/signed',
  requirement: 'DATA-1',
  places: [
    'member=content-type',
    'part=signature value=missing',
    'part=signature value=wrong',
    'member=payload value=other-type',
    'alg=PS512',
    'alg=ES512',
  ],
  title: 'userinfo is a JWT of content type application/jwt, signed with the registered algorithm by a published key',
  needs: toLogIn,
  check: (tools) => checkSigned(tools, 'userinfo'),
})

export const acceptAnything = rule({
  id: 'userinfo/accept-anything',
  requirement: 'DATA-1',
  places: ['superset', 'reordered'].map((value) => `parameter=accept value=${value}`),
  title:
    'userinfo is a signed JWT of content type application/jwt also for a request that accepts anything, or JSON first',
  needs: toLogIn,
  async check(tools) {
    await tools.bank.userData.userinfo(await tools.bank.token())
    await checkSigned(tools, 'userinfo', { accept: '*/*' })
    // Which of the two comes the client said as it registered (OpenID Connect Core section 5.3.2).
    await tools.inVariation('JSON before a JWT', () =>
      checkSigned(tools, 'userinfo', { accept: 'application/json, application/jwt;q=0.9' }),
    )
  },
})

export const nothingToTell = rule({
  id: 'userinfo/nothing-to-tell',
  requirement: 'DATA-1',
  places: ['person=no-contact'],
  title: 'userinfo is a signed JWT also where the bank knows nothing of what was asked for',
  needs: [...toLogIn, ...toRegister, 'person:no-contact'],
  async check({ bank, expect, skip }) {
    const asked = ['profile.email', 'profile.phonenumber']
    const { dataScopes } = await bank.client()
    if (!asked.every((scope) => dataScopes.includes(scope))) return skip('the bank declares no scopes of contacts')
    const login = await bank.token({
      clientMetadata: {
        client_name: 'Conformance contacts',
        grant_types: ['authorization_code'],
        scope: ['openid', ...asked].join(' '),
      },
      scope: ['openid', ...asked].join(' '),
      person: 'no-contact',
    })
    const response = await bank.userData.userinfo.try(login)
    expect(response).toHaveStatus(200)
    expect(response).toHaveMediaType('application/jwt')
    const { claims } = await bank.claimsIn('userinfo', response, login.client)
    expect<unknown>(claims.sub, 'sub of userinfo', response).toBeText()
  },
})

export const encrypted = rule({
  id: 'userinfo/encrypted',
  requirement: 'DATA-13',
  places: [
    'part=typ',
    'part=encryption value=missing',
    'part=encryption value=wrong',
    'alg=RSA-OAEP-256',
    'member=enc',
    'use=after-rotation',
    'part=encryption alg=ES512',
  ],
  title: 'userinfo is encrypted, with the registered alg and enc, to the key that the client publishes now',
  needs: toLogIn,
  check: (tools) => checkEncryption(tools, 'userinfo'),
})

export const nothingElse = rule({
  id: 'userinfo/nothing-else',
  requirement: 'DATA-3',
  places: scopePlaces('userinfo'),
  title: 'userinfo holds the claims of the approved scopes and nothing else of the person',
  needs: toLogIn,
  check: (tools) => checkNothingElse(tools, 'userinfo'),
})

export const shapes = rule({
  id: 'userinfo/shapes',
  requirement: 'DATA-17',
  title: 'The claims of userinfo have their types and shapes',
  needs: toLogIn,
  // The sentence is about profile; for userinfo these are the shapes of OpenID Connect Core section 5.1, and as published.
  async check(tools) {
    const { expect, warn } = tools
    const { claims, response } = await tools.bank.userData.userinfo(await loginForAll(tools))
    expect<unknown>(claims.sub, 'sub of userinfo', response).toBeText()
    for (const violation of validate('userinfo', withoutEmpty(claims)))
      warn(`userinfo: ${formatViolation(violation, 'the whole')} (OpenID Connect Core section 5.1)`)
  },
})

export const everythingKnown = rule({
  id: 'userinfo/everything-known',
  requirement: 'DATA-15',
  places: scopePlaces('userinfo'),
  title: 'userinfo holds every claim of the approved scopes that the person is known to have',
  needs: toCompareData,
  check: (tools) => checkEverythingKnown(tools, 'userinfo'),
})

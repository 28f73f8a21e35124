import type { RegistrationCall } from '../../bank/registration.js'
import type { Managing } from '../../bank/registration-management.js'
import { rule } from '../../harness/rule.js'
import { signAssertion } from '../../service/assertions.js'
import { foreignSigner } from '../../service/client-keys.js'
import { unsigned, untrustedCertificate } from '../../service/untrusted.js'
import { toRegister } from '../../target/needs.js'
import { expectUnauthorized, unlessHandshakeFails } from '../support/refusals.js'

const managing: readonly Managing[] = ['GET', 'PUT', 'DELETE']

export const noCertificate = rule({
  id: 'registration/no-client-certificate',
  requirement: 'REG-5',
  title: 'A registration without a trusted client certificate is refused',
  needs: toRegister,
  async check({ bank, expect, inVariation }) {
    const certificates = { 'no certificate': false, 'a certificate of no authority': await untrustedCertificate() }
    for (const [what, certificate] of Object.entries(certificates)) {
      await inVariation(what, async () => {
        const refusal = await unlessHandshakeFails(() => bank.registration.modified({}, () => ({ certificate })))
        if (refusal) expect(refusal).toHaveStatus(401, 403)
      })
    }
  },
})

export const noAssertion = rule({
  id: 'registration/no-assertion-of-the-service',
  requirement: 'REG-6',
  title: 'A registration without client_assertion, or with one that no key of the service signed, is refused',
  needs: toRegister,
  async check({ bank, expect, inVariation, note }) {
    const steps: Record<string, (good: RegistrationCall) => Promise<Partial<RegistrationCall>>> = {
      'no client_assertion': async () => ({ presented: () => undefined }),
      'a client_assertion of another key': async ({ signer }) => ({
        signer: await foreignSigner(signer.alg, signer.kid),
      }),
      'a client_assertion without a signature': async ({ claims }) => ({ presented: () => unsigned(claims) }),
    }
    for (const [what, step] of Object.entries(steps)) {
      await inVariation(what, async () => expectUnauthorized(expect, note, await bank.registration.modified({}, step)))
    }
  },
})

export const otherAudience = rule({
  id: 'registration/assertion-audience',
  requirement: 'REG-7',
  title: 'aud of RegistrationAuthJWT is the address of POST /register, for GET too; another is refused',
  needs: toRegister,
  async check({ bank, expect, inVariation, note, reading }) {
    for (const aud of [`${bank.issuer}/token`, bank.issuer, 'https://elsewhere.example/register']) {
      await inVariation(`aud ${aud}`, async () => {
        const refusal = await bank.registration.modified({}, ({ claims }) => ({ claims: { ...claims, aud } }))
        expectUnauthorized(expect, note, refusal)
      })
    }
    const client = await bank.readableClient()
    const called = await bank.manage('GET', client, {
      claims: { ...(await bank.assertionClaims()), aud: `${client.endpoint}/${client.clientId}` },
    })
    if (called.status === 200) return reading('AMB-26', 'called-endpoint-too')
    expectUnauthorized(expect, note, called)
    reading('AMB-26', 'registration-endpoint')
  },
})

export const assertionKind = rule({
  id: 'registration/assertion-kind',
  requirement: 'REG-28',
  title: 'A JWT that shows that it was made for another purpose is not taken as RegistrationAuthJWT',
  needs: toRegister,
  // The table names the claims of a RegistrationAuthJWT; that no other JWT is taken for one is RFC 8725's, so that a bank is warned.
  async check({ bank, expect, inVariation, note, warn }) {
    const steps: Record<string, (good: RegistrationCall) => Promise<Partial<RegistrationCall>>> = {
      'with the typ of a request object': async ({ claims, signer }) => {
        const typed = await signAssertion(claims, signer, 'oauth-authz-req+jwt')
        return { presented: () => typed }
      },
      'with the response_type of a request object': async ({ claims }) => ({
        claims: { ...claims, response_type: 'code' },
      }),
    }
    for (const [what, step] of Object.entries(steps)) {
      await inVariation(`a RegistrationAuthJWT ${what}`, async () => {
        const answer = await bank.registration.modified({}, step)
        if (answer.status < 300) warn(`a RegistrationAuthJWT ${what} is taken (RFC 8725 sections 3.11 and 3.12)`)
        else expectUnauthorized(expect, note, answer)
      })
    }
  },
})

export const replay = rule({
  id: 'registration/assertion-replayed',
  requirement: 'REG-8',
  title: 'A RegistrationAuthJWT whose jti was seen before is refused',
  needs: toRegister,
  async check({ bank, expect, note, reading }) {
    const client = await bank.readableClient()
    const claims = await bank.assertionClaims()
    await bank.manage('GET', client, { claims })
    const again = await bank.manage('GET', client, { claims })
    if (again.status === 200) return reading('AMB-68', 'accepted')
    expectUnauthorized(expect, note, again)
    reading('AMB-68', 'refused')
  },
})

export const assertionType = rule({
  id: 'registration/assertion-type',
  requirement: 'REG-9',
  title: 'Another client_assertion_type than the JWT bearer type is refused',
  needs: toRegister,
  async check({ bank, expect, inVariation, note }) {
    for (const other of ['urn:ietf:params:oauth:client-assertion-type:saml2-bearer', 'jwt-bearer']) {
      await inVariation(`client_assertion_type ${other}`, async () =>
        expectUnauthorized(expect, note, await bank.registration.modified({}, () => ({ assertionType: other }))),
      )
    }
  },
})

export const assertionClaims = rule({
  id: 'registration/assertion-claims',
  requirement: 'REG-28',
  title: 'A RegistrationAuthJWT past its exp, or without aud, exp or jti, is refused',
  needs: toRegister,
  async check({ bank, service, expect, inVariation, note, warn }) {
    const now = service.clock()
    const variations = {
      'a RegistrationAuthJWT past its exp': { iat: now - 7200, exp: now - 3600 },
      'a RegistrationAuthJWT without aud': { aud: undefined },
      'a RegistrationAuthJWT without exp': { exp: undefined },
      'a RegistrationAuthJWT without jti': { jti: undefined },
    }
    for (const [what, changes] of Object.entries(variations)) {
      await inVariation(what, async () => {
        const refusal = await bank.registration.modified({}, ({ claims }) => ({ claims: { ...claims, ...changes } }))
        expectUnauthorized(expect, note, refusal)
      })
    }
    const undated = await bank.registration.modified({}, ({ claims }) => ({ claims: { ...claims, iat: undefined } }))
    if (undated.status < 300) warn('a RegistrationAuthJWT without iat is taken')
  },
})

export const managementAuthentication = rule({
  id: 'registration/management-authentication',
  requirement: 'REG-22',
  title: 'GET, PUT and DELETE of a registration need mutual TLS and RegistrationAuthJWT as POST does',
  needs: toRegister,
  async check({ bank, expect, inVariation, note }) {
    const client = await bank.readableClient()
    for (const method of managing) {
      await inVariation(`${method} without a client certificate`, async () => {
        const plain = await unlessHandshakeFails(() => bank.manage(method, client, { certificate: false }))
        if (plain) expect(plain).toHaveStatus(401, 403)
      })
      await inVariation(`${method} without client_assertion`, async () =>
        expectUnauthorized(expect, note, await bank.manage(method, client, { presented: () => undefined })),
      )
    }
    expect(await bank.manage('GET', client)).toHaveStatus(200)
  },
})

import { randomUUID } from 'node:crypto'
import { dressNow } from '../../bank/dress.js'
import type { Replace } from '../../bank/operation.js'
import type { Client } from '../../bank/registration.js'
import type { RegistrationCall } from '../../bank/registration-call.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { signAssertion } from '../../service/assertions.js'
import { foreignSigner } from '../../service/client-keys.js'
import { unsigned, untrustedCertificate } from '../../service/untrusted.js'
import { toRegister } from '../../target/needs.js'
import { foreignAudiences, wrongLifetimes } from '../support/assertion-flaws.js'
import { leadingSigners } from '../support/leading-signers.js'
import { oddTypes, unknownExtension } from '../support/odd-assertions.js'
import { otherTimes } from '../support/proof-replay.js'
import { publicKeySecrets } from '../support/public-key-secrets.js'
import { expectUnauthorized, recordMethods, unlessHandshakeFails } from '../support/refusals.js'
import { atMethods, everyMethod, type Flaws, managing, tryFlaws } from '../support/registration-calls.js'

/** Calls that do not come from the service's machine. */
async function withoutMutualTls(): Promise<Flaws> {
  const untrusted = await untrustedCertificate()
  return {
    'without a client certificate': () => ({ certificate: false }),
    'with a certificate of no authority': () => ({ certificate: untrusted }),
    'with the certificate in headers alone, as a proxy tells it': () => ({ certificate: false, certificateTold: true }),
  }
}

/** Calls that the service did not sign. */
async function unproven(tools: Tools): Promise<Flaws> {
  const { signer } = tools.service
  if (!signer) throw new Error('a rule that registers has to need what is in toRegister')
  const signers = { ...(await leadingSigners(tools, signer.alg)), ...publicKeySecrets(signer, 'the service') }
  return {
    ...unsignedByService,
    ...Object.fromEntries(
      Object.entries(signers).map(([what, other]) => [`with a client_assertion ${what}`, () => ({ signer: other })]),
    ),
  }
}

const unsignedByService: Flaws = {
  'without client_assertion': () => ({ presented: () => undefined }),
  'with a client_assertion of another key': async ({ signer }: RegistrationCall) => ({
    signer: await foreignSigner(signer.alg, signer.kid),
  }),
  'with a client_assertion of another key under a kid of its own': async ({ signer }: RegistrationCall) => ({
    signer: await foreignSigner(signer.alg),
  }),
  'with a client_assertion whose claims were changed after it was signed': ({ claims }: RegistrationCall) => ({
    presented: (signed) => withPayload(signed, { ...claims, jti: randomUUID() }),
  }),
  'with a client_assertion without a signature': ({ claims }: RegistrationCall) => ({
    presented: () => unsigned(claims),
  }),
  'with a client_assertion without the bytes of its signature': () => ({
    presented: (signed) => signed.slice(0, signed.lastIndexOf('.') + 1),
  }),
}

/** A JWT with other claims under the signature that it had. */
function withPayload(jwt: string, claims: Record<string, unknown>): string {
  const [header, , signature] = jwt.split('.')
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}

/** That nobody is let in without a certificate of the service. A proxy that ends TLS before the bank says so with 400. */
async function expectCertificateAsked({ expect, note }: Tools, call: () => Promise<HttpResponse>): Promise<void> {
  const refusal = await unlessHandshakeFails(expect, call)
  if (refusal) expectUnauthorized(expect, note, refusal)
}

/** That the bank does not do all the same what it refuses. */
const withoutEffect = atMethods(['PUT', 'DELETE'], 'use=after-refusal')

/** Judges a call that is to be refused because nobody knows who makes it. */
function refused({ expect, note }: Tools) {
  return async (call: () => Promise<HttpResponse>) => expectUnauthorized(expect, note, await call())
}

export const noCertificate = rule({
  id: 'registration/no-client-certificate',
  requirement: 'REG-5',
  places: ['certificate=none', 'certificate=untrusted'],
  title: 'A registration without a trusted client certificate is refused',
  needs: toRegister,
  async check(tools) {
    await tryFlaws(tools, ['POST'], await withoutMutualTls(), (call) => expectCertificateAsked(tools, call))
  },
})

/** Calls that the client they are about proves by its own key, which is at its jwks_uri and not in the service's key set. */
const provenByClient = ({ clientId, keys: { signing } }: Client): Flaws => ({
  'with a client_assertion by a key at jwks_uri, whose iss and sub are the client_id': ({ claims }) => ({
    signer: signing,
    claims: { ...claims, iss: clientId, sub: clientId },
  }),
})

export const noAssertion = rule({
  id: 'registration/no-assertion-of-the-service',
  requirement: 'REG-6',
  places: [
    ...['value=missing', 'part=signature', 'part=signature value=unknown', 'part=alg', 'use=after-refusal'],
    'part=signature alg=HS512',
    'part=signature member=crit',
    ...atMethods(managing, 'part=signature'),
  ],
  title: 'A registration without client_assertion, or with one that no key of the service signed, is refused',
  needs: toRegister,
  async check(tools) {
    await tryFlaws(tools, ['POST'], await unproven(tools), refused(tools))
    await tryFlaws(tools, everyMethod, provenByClient, refused(tools))
    const { bank, expect, note, warn } = tools
    if (dressNow() !== undefined) return
    const { critical, what } = unknownExtension
    const answer = await bank.registration.modified({}, ({ signer }) => ({ signer: { ...signer, critical } }))
    if (answer.status < 300) warn(`a RegistrationAuthJWT ${what} is taken (RFC 7515 section 4.1.11)`)
    else expectUnauthorized(expect, note, answer)
  },
})

export const otherAudience = rule({
  id: 'registration/assertion-audience',
  requirement: 'REG-7',
  places: [
    ...atMethods(everyMethod),
    ...withoutEffect,
    ...['upper-case', 'equivalent', 'prefix', 'superset', 'other-type', 'empty'].map((value) => `value=${value}`),
    'member=list value=right',
  ],
  title:
    'aud of RegistrationAuthJWT is the address of POST /register, also for GET, PUT and DELETE; another is refused',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, note, reading, warn } = tools
    const client = await bank.readableClient()
    const endpoint = String((await bank.assertionClaims()).aud)
    // An aud that is missing is REG-28's.
    const { 'without aud': _, ...foreign } = foreignAudiences(endpoint)
    const audiences = {
      'with aud of /token': `${bank.address}/token`,
      'with aud of the issuer': bank.issuer,
      'with an aud that ends in the right one': `https://elsewhere.example/${endpoint}`,
      ...foreign,
    }
    const flaws = Object.fromEntries(
      Object.entries(audiences).map(([what, aud]) => [
        what,
        ({ claims }: RegistrationCall) => ({ claims: { ...claims, aud } }),
      ]),
    )
    await tryFlaws(tools, everyMethod, flaws, refused(tools))
    const listed = await bank.manage('GET', client, ({ claims }) => ({ claims: { ...claims, aud: [endpoint] } }))
    if (listed.status !== 200) {
      expectUnauthorized(expect, note, listed)
      warn('aud of RegistrationAuthJWT is not taken as a list (RFC 7519 section 4.1.3)')
    }
    const aud = `${endpoint}/${client.clientId}`
    const called = await bank.manage('GET', client, ({ claims }) => ({ claims: { ...claims, aud } }))
    if (called.status === 200) return reading('AMB-26', 'called-endpoint-too')
    expectUnauthorized(expect, note, called)
    reading('AMB-26', 'registration-endpoint')
  },
})

export const assertionKind = rule({
  id: 'registration/assertion-kind',
  requirement: 'REG-28',
  places: ['part=typ'],
  title: 'A JWT that shows that it was made for another purpose is not taken as RegistrationAuthJWT',
  needs: toRegister,
  // The table names the claims of a RegistrationAuthJWT; that no other JWT is taken for one is RFC 8725's, so that a bank is warned. Claims
  // that it does not know it has to ignore (RFC 7519 section 4), whichever other JWT they are of.
  async check({ bank, expect, note, warn }) {
    const answer = await bank.registration.modified({}, async ({ claims, signer }) => {
      const typed = await signAssertion(claims, signer, 'oauth-authz-req+jwt')
      return { presented: () => typed }
    })
    if (answer.status < 300)
      warn('a RegistrationAuthJWT with the typ of a request object is taken (RFC 8725 sections 3.11 and 3.12)')
    else expectUnauthorized(expect, note, answer)
  },
})

export const replay = rule({
  id: 'registration/assertion-replayed',
  requirement: 'REG-8',
  places: [...atMethods(everyMethod), 'use=after-refusal', 'part=replay member=iat'],
  title:
    'A RegistrationAuthJWT whose jti was seen before is refused, whatever its times, also in a call that was refused',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, note, reading, service } = tools
    const client = await bank.readableClient()
    let taken = false
    const call = (method: (typeof everyMethod)[number], replace: Replace<RegistrationCall>) =>
      method === 'POST' ? bank.registration.modified({}, replace) : bank.manage(method, client, replace)
    const judge = (answer: HttpResponse) => {
      if (answer.status < 300) taken = true
      else expectUnauthorized(expect, note, answer)
    }
    // What it came with was refused, and it was seen all the same.
    for (const method of recordMethods) {
      const claims = await bank.assertionClaims()
      await inVariation(`GET with the jti of a ${method} that is refused for its body`, async () => {
        expect(await call(method, () => ({ claims, body: '42' }))).toHaveStatus(400)
        judge(await call('GET', () => ({ claims })))
      })
    }
    // Each repeats the jti of a read that was seen to be taken. Where it is taken again, DELETE leaves nothing to be asked about.
    for (const method of everyMethod) {
      const claims = await bank.assertionClaims()
      expect(await bank.manage('GET', client, () => ({ claims }))).toHaveStatus(200)
      const again = { ...claims, ...otherTimes(service.clock()) }
      await inVariation(`${method} with the jti of a read`, async () =>
        judge(await call(method, () => ({ claims: again }))),
      )
    }
    reading('AMB-68', taken ? 'accepted' : 'refused')
  },
})

export const assertionType = rule({
  id: 'registration/assertion-type',
  requirement: 'REG-9',
  places: [...atMethods(everyMethod), ...withoutEffect],
  title: 'Another client_assertion_type than the JWT bearer type, or none, is refused',
  needs: toRegister,
  async check(tools) {
    const others = [
      'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
      'urn:ietf:params:oauth:client-assertion-type:jwt-bearer-too',
      'urn:ietf:params:oauth:client-assertion-type:JWT-BEARER',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'jwt-bearer',
      undefined,
    ]
    const flaws = Object.fromEntries(
      others.map((assertionType) => [
        assertionType === undefined ? 'without client_assertion_type' : `with client_assertion_type ${assertionType}`,
        () => ({ assertionType }),
      ]),
    )
    await tryFlaws(tools, everyMethod, flaws, refused(tools))
  },
})

export const assertionClaims = rule({
  id: 'registration/assertion-claims',
  requirement: 'REG-28',
  places: [
    ...atMethods(everyMethod, 'part=exp', 'part=aud', 'part=jti'),
    ...['part=exp value=other-type', 'part=exp value=lower-bound', 'part=jti value=other-type', 'part=jti value=empty'],
    'part=iat value=other-type',
    ...atMethods(['POST', 'GET'], 'part=nbf'),
    ...withoutEffect,
  ],
  title: 'A RegistrationAuthJWT past its exp, or without aud, exp or jti, is refused',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, note, service, warn } = tools
    const now = service.clock()
    const changes: ReturnType<typeof wrongLifetimes> = {
      'without aud': { claims: { aud: undefined } },
      ...wrongLifetimes(now),
    }
    const flaws = Object.fromEntries(
      Object.entries(changes).map(([what, changed]) => [
        `with a RegistrationAuthJWT ${what}`,
        ({ claims }: RegistrationCall) => ({ claims: { ...claims, ...changed.claims } }),
      ]),
    )
    await tryFlaws(tools, everyMethod, flaws, refused(tools))
    // What is about the assertion alone is not tried beside each record again.
    if (dressNow() !== undefined) return
    const undated = await bank.registration.modified({}, ({ claims }) => ({ claims: { ...claims, iat: undefined } }))
    if (undated.status < 300) warn('a RegistrationAuthJWT without iat is taken')
    const judge = (what: string, answer: HttpResponse) => {
      if (answer.status < 300) warn(`a RegistrationAuthJWT ${what} is taken (RFC 7519 section 4.1)`)
      else expectUnauthorized(expect, note, answer)
    }
    for (const [what, changed] of Object.entries(oddTypes(now))) {
      const replace = ({ claims }: RegistrationCall) => ({ claims: { ...claims, ...changed } })
      await inVariation(`POST with a RegistrationAuthJWT ${what}`, async () =>
        judge(what, await bank.registration.modified({}, replace)),
      )
      // Of what is about a client only a read is tried: what else is taken changes it.
      if ('nbf' in changed)
        await inVariation(`GET with a RegistrationAuthJWT ${what}`, async () =>
          judge(what, await bank.manage('GET', await bank.readableClient(), replace)),
        )
    }
  },
})

export const managementAuthentication = rule({
  id: 'registration/management-authentication',
  requirement: 'REG-22',
  places: [
    ...atMethods(managing, 'certificate=none', 'certificate=untrusted'),
    ...atMethods(managing, 'value=missing', 'part=signature', 'part=signature value=unknown', 'part=alg'),
    ...atMethods(managing, 'part=signature alg=HS512'),
    ...withoutEffect,
  ],
  title: 'GET, PUT and DELETE of a registration need mutual TLS and RegistrationAuthJWT as POST does',
  needs: toRegister,
  async check(tools) {
    await tryFlaws(tools, managing, await withoutMutualTls(), (call) => expectCertificateAsked(tools, call))
    await tryFlaws(tools, managing, await unproven(tools), refused(tools))
  },
})

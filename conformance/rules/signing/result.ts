import { authenticatedBy } from '../../bank/client-metadata.js'
import type { SigningOptions } from '../../bank/signing.js'
import { inStep } from '../../bank/steps.js'
import type { SubmissionOutcome } from '../../bank/submission-outcome.js'
import { grantedScopes } from '../../bank/token.js'
import { compactJwe } from '../../bank/user-data.js'
import { callbackOf } from '../../end-user/end-user.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { expectHolderOfKey } from '../support/holder-of-key.js'
import { codeIn, expectObjectRefused, isAuthorized } from './refusals.js'

/** Specification: "Structured scope objects"; AMB-8. */
const documentScopes = [
  'profile.name',
  'profile.titles',
  'profile.birthdate',
  'profile.email',
  'profile.legalstatus',
] as const

/** Changes of the record of a client that is not confidential (RFC 6749 section 2.1). */
const withoutCredentials = authenticatedBy('none')

export const result = rule({
  id: 'signing/result',
  requirement: 'SIGN-9',
  title: 'POST /token returns an encrypted and signed id_token that holds the authorized object',
  needs: toSign,
  async check({ bank, expect }) {
    const signed = await bank.signing.result()
    const { response, object } = signed
    expect(response.member('id_token'), 'id_token of the result', response).toMatch(compactJwe, 'a compact JWE')
    const { claims } = await bank.signing.idToken(signed)
    expect(claims, 'the id_token', response).toHaveMembers(['structured_scope'])
    expect(claims.nonce, 'nonce of the id_token', response).toBe(object.request.claims.nonce)
  },
})

export const unchanged = rule({
  id: 'signing/sign-object-unchanged',
  requirement: 'SIGN-36',
  title: 'The authorized SignObject comes back unchanged, fields and order',
  needs: toSign,
  async check({ bank, expect }) {
    const signed = await bank.signing.result()
    const { claims } = await bank.signing.idToken(signed)
    const sent = (signed.object.request.claims.structured_scope as { signObject: unknown }).signObject
    const came = (claims.structured_scope as { signObject?: unknown } | undefined)?.signObject
    expect<unknown>(came, 'signObject of the id_token', signed.response).toEqual(sent)
  },
})

/** Holds that what was sent to be authorized comes back whole in the id_token. @param what of it, in words */
async function expectAuthorized({ bank, expect }: Tools, options: SigningOptions, what: string): Promise<void> {
  const signed = await bank.signing.result(options)
  const { claims } = await bank.signing.idToken(signed)
  const sent = signed.object.request.claims.structured_scope
  expect(claims.structured_scope, `structured_scope of the id_token for ${what}`, signed.response).toEqual(sent)
}

export const oneDocument = rule({
  id: 'signing/one-document',
  requirement: 'SIGN-11',
  title: 'One document, bound by its hash, is authorized and comes back',
  needs: toSign,
  async check(tools) {
    await expectAuthorized(tools, { kind: 'document' }, 'one document')
    const { bank, reading } = tools
    const elsewhere = await bank.signing.submission.modified({ kind: 'document' }, ({ claims }) => {
      const { documentObject } = claims.structured_scope as { documentObject: { document_uri: string } }
      const document_uri = documentObject.document_uri.replace('https:', 'http:')
      return { claims: { ...claims, structured_scope: { documentObject: { ...documentObject, document_uri } } } }
    })
    reading('AMB-71', isAuthorized(elsewhere) ? 'http-too' : 'https-only')
  },
})

export const manyDocuments = rule({
  id: 'signing/documents-in-envelope',
  requirement: 'SIGN-12',
  title: 'One document and ten documents in an envelope are authorized and come back',
  needs: toSign,
  async check(tools) {
    for (const count of [1, 10]) {
      await expectAuthorized(tools, { kind: 'documents', count }, `${count} in an envelope`)
    }
  },
})

export const combined = rule({
  id: 'signing/combined',
  requirement: 'SIGN-13',
  title: 'A text and documents are authorized at once',
  needs: toSign,
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    for (const kind of ['text and document', 'text and documents'] as const) {
      await inVariation(kind, async () => {
        expect(await bank.signing.requestObject.try({ kind })).toHaveStatus(200, 201)
        await expectAuthorized(tools, { kind }, kind)
      })
    }
    const [one, many] = [
      await bank.signing.requestObject.prepare({ kind: 'document' }),
      await bank.signing.requestObject.prepare({ kind: 'documents' }),
    ]
    const structured_scope = { ...(one.claims.structured_scope as object), ...(many.claims.structured_scope as object) }
    const both = await bank.signing.submission.modified({ kind: 'document' }, ({ claims }) => ({
      claims: { ...claims, structured_scope },
    }))
    reading('AMB-63', isAuthorized(both) ? 'any-mix' : 'one-document-kind')
  },
})

export const algorithms = rule({
  id: 'signing/algorithms',
  requirement: 'SIGN-15',
  title: 'Request object, client assertion and id_token are signed with PS256 or ES256',
  needs: toSign,
  async check({ bank, expect, inVariation, reading }) {
    const algs: unknown[] = []
    for (const alg of ['ES256', 'PS256'] as const) {
      await inVariation(`a request object signed with ${alg}`, async () => {
        expect(await bank.signing.requestObject.try({ alg })).toHaveStatus(200, 201)
        const signed = await bank.signing.result({ alg })
        const { header } = await bank.signing.idToken(signed)
        const listed = ['PS256', 'ES256', 'PS512', 'ES512']
        expect<unknown>(header.alg, 'alg of the id_token', signed.response).toBeOneOf(listed)
        algs.push(header.alg)
      })
    }
    reading('AMB-12', algs.every((alg) => alg === 'PS256' || alg === 'ES256') ? 'sha256-only' : 'sha512-too')
  },
})

export const confidential = rule({
  id: 'signing/confidential-clients',
  requirement: 'SIGN-16',
  title: 'A client without credentials, or with those of another, gets no result of the signing flow',
  needs: toSign,
  async check({ bank, expect, note }) {
    const nobody = await bank.signing.result.modified({}, ({ form, client }) => ({
      form: { ...form, client_id: client.clientId },
      authentication: 'none' as const,
    }))
    expect(nobody).toHaveStatus(400, 401)
    const another = await bank.client(await bank.signing.metadata({ client_name: 'Conformance another signer' }))
    const other = await bank.signing.result.modified({}, () => ({ client: another }))
    expect(other).toHaveStatus(400, 401)
    const open = await bank.registration(await bank.signing.metadata(withoutCredentials))
    if (open.response.status >= 400) return note('a client without credentials cannot be registered')
    const request = await bank.signing.requestObject.prepare({ clientMetadata: withoutCredentials })
    const outcome = await bank.signing.submission.modified({}, () => request)
    const code = outcome.accepted && codeIn(outcome.accepted.visit)
    if (!outcome.accepted || !code) expectObjectRefused(expect, outcome)
    else expect(await bank.signing.exchangeCode(outcome.accepted.object, code)).toHaveStatus(400, 401)
  },
})

export const responseTypes = rule({
  id: 'signing/response-types',
  requirement: 'SIGN-17',
  title: 'response_type code id_token and code id_token token are taken',
  needs: toSign,
  async check({ bank, expect, inVariation, reading }) {
    const outcomes = new Map<string, SubmissionOutcome>()
    for (const response_type of ['code id_token', 'code id_token token']) {
      const outcome = await bank.signing.submission.modified({}, ({ claims }) => ({
        claims: { ...claims, response_type },
      }))
      outcomes.set(response_type, outcome)
    }
    if (![...outcomes.values()].some(isAuthorized)) {
      for (const [response_type, outcome] of outcomes) {
        await inVariation(`response_type ${response_type}`, async () => expectObjectRefused(expect, outcome))
      }
      return reading('AMB-13', 'code-only')
    }
    reading('AMB-13', 'hybrid-too')
    for (const [response_type, { response, accepted }] of outcomes) {
      await inVariation(`response_type ${response_type}`, async () => {
        expect(response).toHaveStatus(200, 201)
        if (!accepted) return
        const callback = callbackOf(accepted.visit)
        const inFragment = callback.fragment.has('code')
        reading('AMB-61', inFragment ? 'fragment' : 'query')
        const where = inFragment ? callback.fragment : callback.query
        const expected = inFragment ? ['id_token', ...(response_type.endsWith(' token') ? ['access_token'] : [])] : []
        for (const name of ['code', 'state', ...expected]) {
          expect(where.get(name), `${name} of the callback`, callback.response).toBeText()
        }
      })
    }
  },
})

export const documentAcr = rule({
  id: 'signing/document-acr',
  requirement: 'SIGN-18',
  title: 'A document is authorized by a user who authenticated at loa3',
  needs: toSign,
  async check({ bank, expect }) {
    const signed = await bank.signing.result({ kind: 'document' })
    const { claims } = await bank.signing.idToken(signed)
    expect<unknown>(claims.acr, 'acr of the id_token', signed.response).toBe('loa3')
  },
})

export const steppedUp = rule({
  id: 'signing/stepped-up',
  requirement: 'SIGN-24',
  title: 'A session of a weaker method is stepped up to authorize a document, or the request fails',
  needs: [...toSign, 'page-detection'],
  async check({ bank, expect }) {
    const browser = bank.signing.browser()
    await bank.signing.result.fresh({ claims: { acr_values: 'loa2' }, browser })
    const object = await bank.signing.requestObject.fresh({ kind: 'document' })
    const { callback, pages } = await bank.signing.tryAuthorize(object, { browser })
    const code = callback?.query.get('code') ?? null
    if (code === null) return
    expect(pages, 'the pages shown', callback?.response).toContain('second-factor')
  },
})

export const loa2Enough = rule({
  id: 'signing/text-by-loa2',
  requirement: 'SIGN-26',
  title: 'A SignObject is authorized with loa2',
  needs: toSign,
  async check({ bank, expect }) {
    await bank.signing.result()
    const claims = { acr_values: 'loa2' }
    expect(await bank.signing.requestObject.try({ claims })).toHaveStatus(200, 201)
    const visit = await bank.signing.authorize(await bank.signing.requestObject.fresh({ claims }))
    expect(codeIn(visit), 'the code of the callback', visit.response).toBeText()
  },
})

export const subject = rule({
  id: 'signing/subject',
  requirement: 'SIGN-35',
  title: 'The result names the subject who authorized, by the sub of a login at the same client',
  needs: toSign,
  async check({ bank, expect }) {
    const signed = await bank.signing.result()
    const { claims } = await bank.signing.idToken(signed)
    const login = await bank.signing.login()
    const own = await bank.idToken(login.response, login.client)
    expect(claims.sub, 'sub of the result', signed.response).toBe(own.claims.sub)
  },
})

/** That the plain result is told the scopes that its request asked for. */
async function expectSignedScopes({ bank, expect }: Tools): Promise<void> {
  const { response } = await bank.signing.result()
  const granted = await grantedScopes(response, 'signedScopes')
  expect(granted, 'the scopes of the token response', response).toBeSetOf(['openid', 'authorization'])
}

export const documentScopesGranted = rule({
  id: 'signing/document-scopes',
  requirement: 'SIGN-37',
  title: 'A document request grants the six scopes without their being asked for',
  needs: toSign,
  async check(tools) {
    const { bank, expect, note, reading } = tools
    await inStep('signedScopes', () => expectSignedScopes(tools))
    const signed = await bank.signing.result({ kind: 'document' })
    const granted = await grantedScopes(signed.response, 'signedScopes')
    const missing = documentScopes.filter((scope) => !granted.includes(scope))
    expect(missing, 'the scopes of documents that are not granted', signed.response).toEqual([])
    expect(granted, 'the granted scopes', signed.response).toSatisfy(
      (scopes) => ['profile.address', 'profile.addresses'].some((scope) => scopes.includes(scope)),
      'a list with profile.address or profile.addresses',
    )
    const declared = (await bank.discovery()).declared('scopes_supported')
    if (declared && !declared.includes('profile.addresses')) return note('profile.addresses is not declared')
    const client = await bank.client()
    const scope = `${client.metadata.scope} authorization profile.addresses`
    const claims = { scope: 'openid authorization profile.address' }
    const named = await bank.signing.requestObject.prepare({ clientMetadata: { scope }, claims })
    reading(
      'AMB-8',
      isAuthorized(await bank.signing.submission.modified({}, () => named)) ? 'address-too' : 'addresses-only',
    )
  },
})

export const scopesListed = rule({
  id: 'signing/scopes-listed',
  requirement: 'SIGN-46',
  title: 'The token response of the signing flow lists exactly the granted scopes',
  needs: toSign,
  check: expectSignedScopes,
})

export const unsignedAsRegistered = rule({
  id: 'signing/id-token-none',
  requirement: 'SIGN-41',
  title: 'No result is left unsigned for a client that registered id_token_signed_response_alg none',
  needs: toSign,
  async check({ bank, expect, reading }) {
    const clientMetadata = { id_token_signed_response_alg: 'none' }
    const { response: registered } = await bank.registration(await bank.signing.metadata(clientMetadata))
    if (registered.status >= 400) return reading('AMB-9', 'refused')
    reading('AMB-9', 'declared')
    const request = await bank.signing.requestObject.prepare({ clientMetadata })
    const outcome = await bank.signing.submission.modified({}, () => request)
    const code = outcome.accepted && codeIn(outcome.accepted.visit)
    // A bank may turn such a client away, as it may turn away whoever wants no signature.
    if (!outcome.accepted || !code) return expectObjectRefused(expect, outcome)
    await bank.signing.result()
    const response = await bank.signing.exchangeCode(outcome.accepted.object, code)
    if (response.status === 400 || response.status === 401) return
    const { header } = await bank.idToken(response, request.client)
    expect<unknown>(header.alg, 'alg of the id_token', response).toBeOneOf(['PS256', 'ES256', 'PS512', 'ES512'])
    // Opened once more as that of a client that registered an algorithm, whose signature is verified.
    const { id_token_signed_response_alg: _, ...metadata } = request.client.metadata
    await bank.idToken(response, { ...request.client, metadata })
  },
})

export const holderOfKey = rule({
  id: 'signing/holder-of-key',
  requirement: 'SIGN-44',
  title: 'An access token of the signing flow is refused with another client certificate, and without one',
  needs: toSign,
  async check({ bank, expect, inVariation, reading }) {
    const signed = await bank.signing.result()
    expect(await bank.signing.userinfo(signed, true)).toHaveStatus(200)
    const answered = await expectHolderOfKey({ inVariation, expect }, (certificate) =>
      bank.signing.userinfo(signed, certificate),
    )
    reading('AMB-65', bank.signing.ownHost() ? 'own-address' : answered ? 'signing-grants-only' : 'whole-host')
  },
})

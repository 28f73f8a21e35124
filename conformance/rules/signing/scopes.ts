import { isObject } from '../../bank/claims.js'
import { dressNow } from '../../bank/dress.js'
import type { SigningOptions } from '../../bank/signing.js'
import { inStep } from '../../bank/steps.js'
import { grantedScopes } from '../../bank/token.js'
import { payloadOf } from '../../bank/user-data.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { everythingBorne, type Made, optionsOf } from './everything-borne.js'
import { isAuthorized } from './refusals.js'

/** Specification: "Structured scope objects"; AMB-8. */
const documentScopes = [
  'profile.name',
  'profile.titles',
  'profile.birthdate',
  'profile.email',
  'profile.legalstatus',
] as const
const addressScopes = ['profile.address', 'profile.addresses'] as const

const documents: Record<string, SigningOptions> = {
  documentObject: { kind: 'document' },
  documentObjects: { kind: 'documents', count: 10 },
  'text-and-document': { kind: 'text and document' },
  'text-and-documents': { kind: 'text and documents' },
}

/** That the result of a text is told the scopes that its request asked for. */
async function expectSignedScopes({ bank, expect }: Tools): Promise<void> {
  const { response } = await bank.signing.result({ kind: 'text' })
  const granted = await grantedScopes(response, 'signedScopes')
  expect(granted, 'the scopes of the token response', response).toBeSetOf(['openid', 'authorization'])
}

export const documentScopesGranted = rule({
  id: 'signing/document-scopes',
  requirement: 'SIGN-37',
  places: [
    ...[...documentScopes, 'profile.addresses'].map((scope) => `scope=${scope}`),
    'member=documentObjects',
    'member=text-and-document',
    'member=text-and-documents',
    'caller=bearer',
    'value=superset',
  ],
  title: 'A document request grants the six scopes without their being asked for',
  needs: [...toSign, 'redirect'],
  async check(tools) {
    const { bank, expect, inVariation, note, reading } = tools
    await inStep('signedScopes', () => expectSignedScopes(tools))
    const { dataScopes } = await bank.client(await bank.signing.metadata())
    const further = dataScopes.find((scope) => ![...documentScopes, ...addressScopes].some((one) => one === scope))
    const all: Record<string, Made> = {
      ...documents,
      'documentObject with an access token': everythingBorne,
      ...(further && {
        'documentObject with a further scope': {
          kind: 'document',
          claims: { scope: `openid authorization ${further}` },
        },
      }),
    }
    for (const [kind, made] of Object.entries(all)) {
      await inVariation(kind, async () => {
        const { response } = await bank.signing.result(await optionsOf(tools, made))
        const granted = await grantedScopes(response, 'signedScopes')
        const missing = documentScopes.filter((scope) => !granted.includes(scope))
        expect(missing, 'the scopes of documents that are not granted', response).toEqual([])
        expect(granted, 'the granted scopes', response).toSatisfy(
          (scopes) => addressScopes.some((scope) => scopes.includes(scope)),
          'a list with profile.address or profile.addresses',
        )
      })
    }
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

export const documentData = rule({
  id: 'signing/document-data',
  requirement: 'SIGN-37',
  places: ['endpoint=profile'],
  title: 'The access token of a signed document gives the data of the six scopes',
  needs: toSign,
  async check({ bank, expect }) {
    const signed = await bank.signing.result({ kind: 'document' })
    const response = await bank.signing.userData('profile', signed)
    expect(response).toHaveStatus(200)
    const data = payloadOf((await bank.open('profile', response, signed.client)).content)
    // What every person has who can sign documents.
    expect(data, 'the data of the signer', response).toSatisfy(
      (claims) => isObject(claims) && ['given_name', 'family_name', 'birthdate'].every((name) => name in claims),
      'an object with given_name, family_name and birthdate',
    )
  },
})

export const scopesListed = rule({
  id: 'signing/scopes-listed',
  requirement: 'SIGN-46',
  places: ['member=signObject value=subset', 'member=signObject value=superset'],
  title: 'The token response of the signing flow lists exactly the granted scopes',
  needs: toSign,
  check: expectSignedScopes,
})

export const documentScopesListed = rule({
  id: 'signing/document-scopes-listed',
  requirement: 'SIGN-46',
  places: ['documentObject', 'documentObjects']
    .flatMap((kind) => ['superset', 'subset', 'repeated', 'missing'].map((value) => `member=${kind} value=${value}`))
    .concat('caller=bearer'),
  title: 'The token response for documents lists what was asked for and the six scopes, each once, and no other',
  needs: toSign,
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    await inStep('signedScopes', () => expectSignedScopes(tools))
    const known: readonly string[] = ['openid', 'authorization', ...documentScopes, ...addressScopes]
    const all: Record<string, Made> = {
      ...documents,
      'a document beside a text, with an access token': everythingBorne,
    }
    for (const [kind, made] of Object.entries(all)) {
      await inVariation(kind, async () => {
        const { accessToken, client, response } = await bank.signing.result(await optionsOf(tools, made))
        const granted = expect(response.member('scope'), 'scope of the token response', response).toBeText().split(' ')
        for (const asked of ['openid', 'authorization'])
          expect(granted, 'the scopes of the token response', response).toContain(asked)
        expect(granted.length, 'how many scopes the token response lists', response).toBe(new Set(granted).size)
        const unasked = granted.filter((scope) => !known.includes(scope))
        expect(unasked, 'the scopes that neither the request nor a document asks for', response).toEqual([])
        if (dressNow() !== undefined) return
        const introspected = await bank.introspection.try({ client, token: accessToken })
        if (introspected.member('active') !== true)
          return note(`the access token of ${kind} is not active (see INTR-1)`)
        const unlisted = parseSpaceDelimited(introspected.member('scope')).filter((scope) => !granted.includes(scope))
        expect(unlisted, 'the scopes of the access token that the token response does not list', response).toEqual([])
      })
    }
  },
})

import type { SigningOptions } from '../../bank/signing.js'
import { inStep } from '../../bank/steps.js'
import { grantedScopes } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { codeIn, expectError } from './refusals.js'

/** Scopes that come with every document, and so are not new in a request for one (AMB-8). */
const ofDocuments = ['name', 'titles', 'birthdate', 'address', 'addresses', 'email', 'legalstatus'].map(
  (name) => `profile.${name}`,
)

interface NewScopes {
  /** The record of a client to which nobody has consented yet, with its changes. */
  clientMetadata: { client_name: string }
  first: string
  second: string
  /** One that no document brings; undefined where the bank declares none. */
  notOfDocuments: string | undefined
  /** A further one. */
  alsoNotOfDocuments: string | undefined
}

async function newScopesOf({ bank, skip }: Tools, client_name: string): Promise<NewScopes> {
  const clientMetadata = { client_name }
  const { dataScopes } = await bank.client(await bank.signing.metadata(clientMetadata))
  // Of two of which one is refused the other stands under another box, if there is one.
  const apart = (scopes: readonly string[]) => {
    const boxes = bank.consentBoxes(scopes)
    return [...boxes.flatMap(([one]) => one ?? []), ...boxes.flatMap(([, ...others]) => others)]
  }
  const data = dataScopes.filter((scope) => scope !== 'authorization')
  const [first, second] = apart(data)
  if (first === undefined || second === undefined) return skip('the bank declares fewer than two data scopes')
  const [notOfDocuments, alsoNotOfDocuments] = apart(data.filter((scope) => !ofDocuments.includes(scope)))
  return { clientMetadata, first, second, notOfDocuments, alsoNotOfDocuments }
}

const asking = (...scopes: string[]) => ({ scope: ['openid', 'authorization', ...scopes].join(' ') })

/** That consent is asked for, and everything granted that was asked for. */
async function expectConsent(
  { bank, expect }: Tools,
  options: SigningOptions,
  scopes: readonly string[],
): Promise<void> {
  const { pages, callback, response } = await bank.signing.result.fresh(options)
  expect(pages, 'the pages shown', callback.response).toContain('consent')
  const granted = await grantedScopes(response, 'signedScopes')
  const missing = ['openid', 'authorization', ...scopes].filter((scope) => !granted.includes(scope))
  expect(missing, 'the scopes asked for and consented to that are not granted', response).toEqual([])
}

export const newScopes = rule({
  id: 'signing/new-scopes-consented',
  requirement: 'SIGN-6',
  places: [
    'use=first',
    'use=session-login',
    'member=documentObject',
    'member=documentObjects',
    'member=id_token_hint',
    'caller=bearer',
  ],
  title: 'A scope that is new is asked consent for, and granted with the rest',
  needs: [...toSign, 'page-detection'],
  async check(tools) {
    const { bank, inVariation, note } = tools
    const { clientMetadata, first, second, notOfDocuments } = await newScopesOf(tools, 'Conformance signing with data')
    const browser = bank.signing.browser()
    await inVariation('the first scope', () =>
      expectConsent(tools, { clientMetadata, claims: asking(second), browser }, [second]),
    )
    await inVariation('a further scope, in the same browser', () =>
      expectConsent(tools, { clientMetadata, claims: asking(second, first), browser }, [second, first]),
    )
    const ofBearer = { client_name: 'Conformance signing with data and an access token' }
    const metadata = await bank.signing.metadata(ofBearer)
    const login = await bank.token({ clientMetadata: metadata, scope: 'openid authorization', person: 'full' })
    const { accessToken: bearer } = login
    await inVariation('with an access token', () =>
      expectConsent(tools, { clientMetadata: ofBearer, claims: asking(second), bearer }, [second]),
    )
    const hinted = { ...asking(second, first), id_token_hint: await bank.hint(login) }
    await inVariation('beside id_token_hint', () =>
      expectConsent(tools, { clientMetadata: ofBearer, claims: hinted, browser }, [second, first]),
    )
    if (notOfDocuments === undefined) return note('every declared scope comes with documents')
    const ofDocument = { client_name: 'Conformance signing documents with data' }
    await inVariation('beside a document', () =>
      expectConsent(tools, { kind: 'document', clientMetadata: ofDocument, claims: asking(notOfDocuments) }, [
        notOfDocuments,
      ]),
    )
    const ofEnvelope = { client_name: 'Conformance signing an envelope with data' }
    const documents = { kind: 'documents' as const, clientMetadata: ofEnvelope, browser }
    await inVariation('beside documents in an envelope', () =>
      expectConsent(tools, { ...documents, claims: asking(notOfDocuments) }, [notOfDocuments]),
    )
  },
})

export const newScopesOfSecond = rule({
  id: 'signing/new-scopes-of-second',
  requirement: 'SIGN-6',
  places: ['use=second-person'],
  title: 'A scope to which one user consented is new for another one',
  needs: [...toSign, 'page-detection', 'person:second'],
  async check(tools) {
    const { bank, inVariation } = tools
    const { clientMetadata, second } = await newScopesOf(tools, 'Conformance signing with data of two')
    const options = { clientMetadata, claims: asking(second) }
    await bank.signing.result.fresh(options)
    await inVariation('the second user', () => expectConsent(tools, { ...options, person: 'second' }, [second]))
  },
})

export const newScopesRefused = rule({
  id: 'signing/new-scopes-refused',
  requirement: 'SIGN-27',
  places: ['member=refuse', 'member=documentObject'],
  title: 'A user who refuses the new scopes ends in an error',
  needs: [...toSign, 'action:consent/refuse'],
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    const { clientMetadata, second, notOfDocuments } = await newScopesOf(tools, 'Conformance signing without data')
    const refuse = async (options: SigningOptions) => {
      const object = await bank.signing.requestObject.fresh({ clientMetadata, ...options })
      expectError(expect, await bank.signing.authorize(object, { actions: { consent: 'refuse' } }))
    }
    await inVariation('a text', () => refuse({ kind: 'text', claims: asking(second) }))
    if (notOfDocuments === undefined) return note('every declared scope comes with documents')
    await inVariation('a document', () => refuse({ kind: 'document', claims: asking(notOfDocuments) }))
  },
})

export const newScopesAfterRefusal = rule({
  id: 'signing/new-scopes-after-refusal',
  requirement: 'SIGN-6',
  places: ['use=after-refusal'],
  title: 'A new scope that the user refused is asked consent for once more, and granted then',
  needs: [...toSign, 'page-detection', 'action:consent/refuse'],
  async check(tools) {
    const { bank, expect } = tools
    const { clientMetadata, second } = await newScopesOf(tools, 'Conformance signing with data, refused at first')
    const options = { clientMetadata, claims: asking(second) }
    const object = await bank.signing.requestObject.fresh(options)
    const { pages, response } = await bank.signing.authorize(object, { actions: { consent: 'refuse' } })
    // Else nothing was refused.
    expect(pages, 'the pages shown at first', response).toContain('consent')
    await expectConsent(tools, options, [second])
  },
})

export const newScopesUnticked = rule({
  id: 'signing/new-scopes-unticked',
  requirement: 'SIGN-27',
  places: ['member=untick'],
  title: 'A user who unticks every new scope and goes on ends in an error',
  needs: [...toSign, 'deny-scopes'],
  async check(tools) {
    const { bank, expect } = tools
    const { clientMetadata, second } = await newScopesOf(tools, 'Conformance signing with unticked data')
    const object = await bank.signing.requestObject.fresh({ clientMetadata, claims: asking(second) })
    const visit = await bank.signing.authorize(object, { denyScopes: [second] })
    expectError(expect, visit)
  },
})

export const refusedScopesUnlisted = rule({
  id: 'signing/refused-scopes-unlisted',
  requirement: 'SIGN-46',
  places: ['member=untick value=superset', 'endpoint=token-info member=untick value=superset'],
  title: 'New scopes of which the user unticked one are listed without it, or the request ends in an error',
  needs: [...toSign, 'deny-scopes'],
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    const fresh = await newScopesOf(tools, 'Conformance signing with a part of the data')
    const { clientMetadata, first, second, notOfDocuments: one, alsoNotOfDocuments: other } = fresh
    await bank.signing.result()
    const inPart = async (options: SigningOptions, approved: string, refused: string) => {
      const object = await bank.signing.requestObject.fresh({ ...options, claims: asking(approved, refused) })
      const visit = await bank.signing.authorize(object, { denyScopes: [refused] })
      const code = codeIn(visit)
      // A bank may take the refusal of one new scope for that of all (SIGN-27).
      if (!code) return expectError(expect, visit)
      const response = await bank.signing.exchangeCode(object, code)
      const what = 'the scopes of the token response, of which the user refused one'
      expect(await grantedScopes(response, 'signedScopes'), what, response).toLack(refused)
      const { client } = object.request
      const told = await bank.introspection.fresh({ client, token: String(response.member('access_token')) })
      // That scope is told at all is another rule's (INTR-1).
      const scope = await inStep('introspection', async () =>
        expect(told.member('scope'), 'scope of the introspection', told).toBeText(),
      )
      expect(scope.split(' '), 'the scopes of the access token, of which the user refused one', told).toLack(refused)
    }
    await inVariation('a text', () => inPart({ clientMetadata }, second, first))
    if (one === undefined || other === undefined) return note('all declared scopes but one come with documents')
    const ofDocument = { client_name: 'Conformance signing documents with a part of the data' }
    await inVariation('a document', () => inPart({ kind: 'document', clientMetadata: ofDocument }, one, other))
  },
})

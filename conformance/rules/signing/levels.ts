import type { SigningOptions } from '../../bank/signing.js'
import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { declaredLevels, oneLevel } from '../support/acr-levels.js'
import { everythingBorne, type Made, optionsOf } from './everything-borne.js'
import { asOwnFailure } from './own-failure.js'
import { codeIn, expectObjectRefused } from './refusals.js'

const documents: Record<string, SigningOptions> = {
  documentObject: { kind: 'document' },
  documentObjects: { kind: 'documents', count: 10 },
  'text-and-document': { kind: 'text and document' },
  'text-and-documents': { kind: 'text and documents' },
}

export const documentAcr = rule({
  id: 'signing/document-acr',
  requirement: 'SIGN-18',
  places: [...Object.keys(documents).map((kind) => `member=${kind}`), 'caller=bearer'],
  title: 'Documents are authorized by a user who authenticated at loa3',
  needs: toSign,
  async check({ bank, expect, inVariation }) {
    const objects: Record<string, Made> = { ...documents, bearer: everythingBorne }
    for (const [kind, made] of Object.entries(objects)) {
      await inVariation(kind, async () => {
        const signed = await bank.signing.result(await optionsOf({ bank }, made))
        const { claims } = await bank.signing.idToken(signed)
        expect<unknown>(claims.acr, 'acr of the id_token', signed.response).toBe('loa3')
      })
    }
  },
})

export const bothLevels = rule({
  id: 'signing/document-by-two-levels',
  requirement: 'SIGN-18',
  places: ['value=both', 'value=reordered'],
  title: 'A document of acr_values loa2 loa3, in whichever order, is authorized at loa3, or refused',
  needs: [...toSign, 'redirect'],
  async check({ bank, expect, inVariation }) {
    for (const acr_values of ['loa2 loa3', 'loa3 loa2']) {
      await inVariation(`acr_values ${acr_values}`, async () => {
        const outcome = await bank.signing.submission.modified({ kind: 'document' }, ({ claims }) => ({
          claims: { ...claims, acr_values },
        }))
        const { accepted } = outcome
        const code = accepted && codeIn(accepted.visit)
        if (!accepted || !code) return expectObjectRefused(expect, outcome)
        const { object } = accepted
        const answered = { response: await bank.signing.exchangeCode(object, code), client: object.request.client }
        const { claims } = await bank.signing.idToken(answered)
        expect<unknown>(claims.acr, 'acr of the id_token', answered.response).toBe('loa3')
      })
    }
  },
})

/** What takes more than a session of loa2: documents, and what asks for loa3. */
const stepUps: Record<string, Made> = {
  'member=documentObject': { kind: 'document' },
  'member=documentObjects': { kind: 'documents' },
  'member=signObject': { claims: { acr_values: 'loa3' } },
  'caller=bearer member=signObject': async ({ bank }) => {
    const { accessToken: bearer } = await bank.signing.login()
    return { claims: { acr_values: 'loa3' }, bearer }
  },
}

export const steppedUp = rule({
  id: 'signing/stepped-up',
  requirement: 'SIGN-24',
  places: Object.keys(stepUps),
  title:
    'A session of a weaker method is stepped up to authorize documents, or what asks for loa3, or the request fails',
  needs: [...toSign, 'page-detection'],
  async check({ bank, expect, inVariation, skip }) {
    const missing = await oneLevel(bank)
    if (missing) return skip(missing)
    for (const [what, made] of Object.entries(stepUps)) {
      const browser = bank.signing.browser()
      const first = await bank.signing.result.fresh({ claims: { acr_values: 'loa2' }, browser })
      const { acr } = (await bank.signing.idToken(first)).claims
      if (acr !== 'loa2') return skip(`an authorization for loa2 reaches ${acr}: there is nothing to step up to`)
      await inVariation(what, async () => {
        const object = await bank.signing.requestObject.fresh(await optionsOf({ bank }, made))
        const visit = await bank.signing.tryAuthorize(object, { browser })
        if (codeIn(visit) === null) return
        expect(visit.pages, 'the pages shown', visit.response).toSatisfy(
          (shown) => shown.some((page) => !['consent', 'sign'].includes(page)),
          'a page on which the person authenticates',
        )
      })
    }
  },
})

export const loa2InSession = rule({
  id: 'signing/documents-in-session-by-loa3',
  requirement: 'SIGN-5',
  places: [
    ...Object.keys(documents).map((kind) => `use=session-login member=${kind}`),
    'caller=bearer use=session-login',
  ],
  title: 'A document request for loa2 gets an error, also where its person is signed in at loa3 already',
  needs: toSign,
  async check({ bank, expect, inVariation }) {
    const browser = bank.signing.browser()
    await bank.signing.result.fresh({ kind: 'document', browser })
    const { accessToken: bearer } = await bank.signing.login()
    const kinds: readonly SigningOptions[] = [
      ...Object.values(documents).map(({ kind = 'document' }) => ({ kind })),
      { kind: 'document', bearer },
    ]
    for (const options of kinds) {
      const { kind } = options
      await inVariation(options.bearer === undefined ? `${kind}` : `${kind} with an access token`, async () => {
        const outcome = await bank.signing.submission.modified(options, ({ claims }) => ({
          claims: { ...claims, acr_values: 'loa2' },
          browser,
        }))
        expectObjectRefused(expect, outcome)
      })
    }
  },
})

export const loa2Enough = rule({
  id: 'signing/text-by-loa2',
  requirement: 'SIGN-26',
  title: 'A SignObject is authorized with loa2',
  needs: toSign,
  async check({ bank, expect, skip }) {
    if (!(await declaredLevels(bank)).includes('loa2')) return skip('the bank declares no loa2')
    const signed = await asOwnFailure(bank, () => bank.signing.result({ kind: 'text', claims: { acr_values: 'loa2' } }))
    const { claims } = await bank.signing.idToken(signed)
    expect<unknown>(claims.acr, 'acr of the id_token', signed.response).toBeOneOf(['loa2', 'loa3'])
  },
})

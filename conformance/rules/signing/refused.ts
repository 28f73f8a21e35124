import { isUrl } from '../../../schemas/is-url.js'
import type { RequestObjectOptions } from '../../bank/ros.js'
import type { PageActions, Visit } from '../../end-user/end-user.js'
import { matchesRedirectUri } from '../../end-user/redirect.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { Need } from '../../target/needs.js'
import { toSign } from '../../target/needs.js'
import { callbackParameter, codeIn, expectError } from './refusals.js'
import { elsewhere } from './second-redirect-uri.js'

/** That a visit ended at the service, where the redirect to it is not seen. */
function expectAtService({ expect }: Tools, { response, callback }: Visit): void {
  const end = { address: response.location ?? response.request.url, isAtService: callback !== undefined }
  expect(end, 'where the user gets to', response).toSatisfy(
    ({ isAtService }) => isAtService,
    "the service's redirect URI",
  )
}

/** That a visit ended with access_denied, and with the state of its request. */
function expectDenied({ expect }: Tools, visit: Visit, state: unknown): void {
  const { response } = visit
  expect(callbackParameter(visit, 'error'), 'error of the callback', response).toBe('access_denied')
  expect(codeIn(visit), 'code of the callback', response).toBe(null)
  expect<unknown>(callbackParameter(visit, 'state'), 'state of the callback', response).toBe(state)
}

function expectSentTo({ expect }: Tools, { response }: Visit, redirectUri: string): void {
  expect(String(response.location), 'where the user is redirected to', response).toSatisfy(
    (address) => isUrl(address) && matchesRedirectUri(address, redirectUri),
    `${redirectUri} with more in its query`,
  )
}

/** A person who does not authorize. */
function denial(definition: {
  slug: string
  places: readonly string[]
  title: string
  needs: readonly Need[]
  actions: PageActions
  objects(tools: Tools): Promise<Record<string, RequestObjectOptions>>
}): Rule {
  const { slug, places, title, needs, actions, objects } = definition
  return rule({
    id: `signing/${slug}`,
    requirement: 'SIGN-20',
    places,
    title,
    needs: [...toSign, ...needs],
    async check(tools) {
      const { bank, inVariation } = tools
      const browser = bank.signing.browser()
      for (const [what, options] of Object.entries(await objects(tools))) {
        await inVariation(what, async () => {
          const object = await bank.signing.requestObject.fresh(options)
          const { redirect_uri } = object.request.claims
          const query = { redirect_uri: String(redirect_uri) }
          const visit = await bank.signing.authorize(object, { actions, browser, query })
          if (needs.includes('redirect')) expectSentTo(tools, visit, String(redirect_uri))
          else expectAtService(tools, visit)
          expectDenied(tools, visit, object.request.claims.state)
        })
      }
    },
  })
}

export const denials: readonly Rule[] = [
  denial({
    slug: 'refused',
    places: [
      'member=sign',
      'member=documentObject',
      'member=documentObjects',
      'member=text-and-document',
      'caller=bearer',
      'parameter=state',
      'parameter=code',
      'parameter=state value=long',
    ],
    title: 'A user who refuses to authorize ends in access_denied at the redirect URL, with the state of the request',
    needs: ['action:sign/refuse'],
    actions: { sign: 'refuse' },
    async objects({ bank }) {
      const { accessToken: bearer } = await bank.signing.login()
      return {
        'a text': {},
        'a document': { kind: 'document' },
        documents: { kind: 'documents' },
        'a text beside a document': { kind: 'text and document' },
        'a text with an access token': { bearer },
        'a text of a long state': { claims: { state: 'Stav-'.repeat(60) } },
      }
    },
  }),
  denial({
    slug: 'refused-elsewhere',
    places: ['parameter=redirect_uri value=second'],
    title:
      'A user who refuses to authorize ends at the redirect URL of the request, where the client registered several',
    needs: ['action:sign/refuse', 'redirect'],
    actions: { sign: 'refuse' },
    async objects({ bank }) {
      const { clientMetadata, second } = await elsewhere(bank)
      return { 'a text': { clientMetadata, claims: { redirect_uri: second } } }
    },
  }),
  denial({
    slug: 'sign-in-declined',
    places: ['member=sign-in'],
    title: 'A user who declines to sign in for an authorization ends in access_denied at the redirect URL',
    needs: ['action:sign-in/decline'],
    actions: { 'sign-in': 'decline' },
    objects: async () => ({ 'a text': {} }),
  }),
]

export const identificationDeclined = rule({
  id: 'signing/identification-declined',
  requirement: 'AUTH-29',
  places: ['grant=signing'],
  title: 'A user whom id_token_hint names, and who declines to be it, ends in access_denied with the message for it',
  needs: [...toSign, 'action:identify/decline'],
  async check({ bank, expect, skip }) {
    const hint = await bank.hint(await bank.signing.login())
    const object = await bank.signing.requestObject.fresh({ claims: { id_token_hint: hint } })
    const visit = await bank.signing.authorize(object, { actions: { identify: 'decline' } })
    const { pages, response } = visit
    if (!pages.includes('identify')) return skip('the bank does not ask whom id_token_hint names on a page of its own')
    expect(callbackParameter(visit, 'error'), 'error of the callback', response).toBe('access_denied')
    const description = callbackParameter(visit, 'error_description')
    expect(description, 'error_description of the callback', response).toBe('User declined the authentication')
  },
})

export const once = rule({
  id: 'signing/once',
  requirement: 'SIGN-47',
  places: [
    'use=first value=first',
    'use=session-login value=first',
    'use=first value=second',
    'use=session-login value=second',
    'member=documentObject',
    'member=documentObjects',
    'caller=bearer',
  ],
  title: 'An object that was authorized, or refused, cannot be authorized again, in the same browser or in another',
  needs: [...toSign, 'action:sign/refuse'],
  async check({ bank, expect, inVariation }) {
    const { accessToken: bearer } = await bank.signing.login()
    const ways: Record<string, { actions: PageActions; options?: RequestObjectOptions }> = {
      'once authorized': { actions: {} },
      'once refused': { actions: { sign: 'refuse' } },
      'a document once authorized': { actions: {}, options: { kind: 'document' } },
      'documents once refused': { actions: { sign: 'refuse' }, options: { kind: 'documents' } },
      'with an access token, once refused': { actions: { sign: 'refuse' }, options: { bearer } },
    }
    for (const [what, { actions, options }] of Object.entries(ways)) {
      const browser = bank.signing.browser()
      const object = await bank.signing.requestObject.fresh(options)
      await bank.signing.authorize(object, { actions, browser })
      await inVariation(`${what}, in the same browser`, async () =>
        expectError(expect, await bank.signing.tryAuthorize(object, { browser })),
      )
      await inVariation(`${what}, in another browser`, async () =>
        expectError(expect, await bank.signing.tryAuthorize(object)),
      )
    }
  },
})

export const onceForOthers = rule({
  id: 'signing/once-for-others',
  requirement: 'SIGN-47',
  places: ['use=after-refusal person=second'],
  title: 'An object that one person refused cannot be authorized by another',
  needs: [...toSign, 'person:second', 'action:sign/refuse'],
  async check({ bank, expect }) {
    const object = await bank.signing.requestObject.fresh()
    await bank.signing.authorize(object, { actions: { sign: 'refuse' } })
    expectError(expect, await bank.signing.tryAuthorize(object, { person: 'second' }))
  },
})

export const onceSideBySide = rule({
  id: 'signing/once-side-by-side',
  requirement: 'SIGN-47',
  places: ['when=by-person value=first', 'when=by-person value=second', 'use=session-login when=after-person'],
  title:
    'An object whose page is open twice, in two browsers or in one, is authorized once alone, and not once it was refused',
  needs: [...toSign, 'browsers', 'action:sign/refuse'],
  async check({ bank, expect, inVariation, note }) {
    const ways: Record<string, { actions: PageActions; isSame?: true }> = {
      'authorized in another browser': { actions: {} },
      'refused in another browser': { actions: { sign: 'refuse' } },
      'authorized on another page of the same browser': { actions: {}, isSame: true },
    }
    for (const [what, { actions, isSame }] of Object.entries(ways)) {
      await inVariation(`${what} meanwhile`, async () => {
        const browser = bank.signing.browser()
        const object = await bank.signing.requestObject.fresh()
        const open = await bank.signing.authorize(object, { actions: { sign: 'leave' }, browser })
        const meanwhile = await bank.signing.authorize(object, { actions, ...(isSame && { browser }) })
        // A bank may leave an object to the page that was opened first.
        if (!meanwhile.pages.includes('sign')) return note('an object whose page is open is not shown on another')
        const visit = await bank.signing.tryAuthorize(object, { browser, from: open.response.request.url })
        expect(codeIn(visit), 'the code of the callback', visit.response).toBe(null)
      })
    }
  },
})

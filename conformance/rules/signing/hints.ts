import { UnsecuredJWT } from 'jose'
import { rule, type Tools } from '../../harness/rule.js'
import { signAssertion } from '../../service/assertions.js'
import { foreignSigner } from '../../service/client-keys.js'
import { toSign } from '../../target/needs.js'
import { codeIn, expectError } from './refusals.js'

export const hint = rule({
  id: 'signing/hint-skips-identification',
  requirement: 'SIGN-4',
  places: ['token=id-of-code', 'token=id-of-signing', 'member=documentObject', 'member=documentObjects'],
  title: 'An id_token_hint lets the bank skip the initial identification',
  needs: [...toSign, 'page-detection'],
  async check({ bank, expect, inVariation }) {
    const ofLogin = await bank.hint(await bank.signing.login())
    const ofResult = await bank.hint(await bank.signing.result())
    const attempts = {
      'the id_token of a login, for a text': { claims: { id_token_hint: ofLogin } },
      'the id_token of a result, for a text': { claims: { id_token_hint: ofResult } },
      'the id_token of a login, for a document': { kind: 'document' as const, claims: { id_token_hint: ofLogin } },
      'the id_token of a login, for documents': { kind: 'documents' as const, claims: { id_token_hint: ofLogin } },
    }
    for (const [how, options] of Object.entries(attempts)) {
      await inVariation(how, async () => {
        const visit = await bank.signing.authorize(await bank.signing.requestObject.fresh(options))
        expect(visit.pages, 'the pages shown', visit.response).toLack('sign-in')
        expect(codeIn(visit), 'the code of the callback', visit.response).toBeText()
      })
    }
  },
})

export const oldHint = rule({
  id: 'signing/old-hint',
  requirement: 'SIGN-4',
  places: ['token=id-of-code part=exp'],
  title: 'An id_token_hint that has expired lets the bank skip the initial identification all the same',
  needs: [...toSign, 'page-detection', 'clock'],
  alone: ['clock'],
  async check({ bank, expect }) {
    const signer = await bank.signing.login()
    const ofSigner = await bank.hint(signer)
    await bank.expired()
    const object = await bank.signing.requestObject.fresh({ claims: { id_token_hint: ofSigner } })
    const visit = await bank.signing.authorize(object)
    expect(visit.pages, 'the pages shown', visit.response).toLack('sign-in')
    expect(codeIn(visit), 'the code of the callback', visit.response).toBeText()
  },
})

export const hintBinds = rule({
  id: 'signing/hint-binds',
  requirement: 'SIGN-4',
  places: ['person=second'],
  title:
    'Where somebody else is signed in, an object with id_token_hint is authorized by the hinted user or by nobody (OpenID Connect Core 3.1.2.1)',
  needs: [...toSign, 'person:second'],
  async check({ bank, expect }) {
    const login = await bank.signing.login()
    const hinted = await bank.idToken(login.response, login.client)
    const browser = bank.signing.browser()
    await bank.signing.result.fresh({ person: 'second', browser })
    const claims = { id_token_hint: await bank.hint(login) }
    const object = await bank.signing.requestObject.fresh({ claims })
    const visit = await bank.signing.tryAuthorize(object, { person: 'second', browser })
    const code = codeIn(visit)
    const response = code === null ? visit.response : await bank.signing.exchangeCode(object, code)
    const signer =
      code === null ? undefined : (await bank.signing.idToken({ response, client: login.client })).claims.sub
    expect(signer, 'sub of the result', response).toSatisfy(
      (sub) => sub === undefined || sub === hinted.claims.sub,
      `none, or ${hinted.claims.sub}, whom id_token_hint names`,
    )
  },
})

/** That an id_token_hint is refused, or that its person is asked to sign in. */
async function expectNobodyIdentified({ bank, expect }: Tools, id_token_hint: string): Promise<void> {
  const { accepted, response } = await bank.signing.submission.modified({}, (good) => ({
    claims: { ...good.claims, id_token_hint },
  }))
  if (!accepted) return void expect(response).toHaveStatus(400, 401, 403, 422)
  const { visit } = accepted
  if (codeIn(visit) === null) expectError(expect, visit)
  else expect(visit.pages, 'the pages shown', visit.response).toContain('sign-in')
}

export const forgedHint = rule({
  id: 'signing/forged-hint',
  requirement: 'SIGN-4',
  places: ['token=id-of-code part=signature'],
  title: 'An id_token_hint that the bank did not sign is refused, or identifies nobody',
  needs: [...toSign, 'page-detection'],
  async check(tools) {
    const login = await tools.bank.signing.login()
    const { header, claims } = await tools.bank.idToken(login.response, login.client)
    const signer = await foreignSigner(String(header.alg), header.kid)
    await expectNobodyIdentified(tools, await signAssertion(claims, signer))
  },
})

export const unsignedHint = rule({
  id: 'signing/unsigned-hint',
  requirement: 'SIGN-4',
  places: ['token=id-of-code part=signature value=missing'],
  title: 'An id_token_hint of alg none, which nobody signed, is refused, or identifies nobody',
  needs: [...toSign, 'page-detection'],
  async check(tools) {
    const login = await tools.bank.signing.login()
    const { claims } = await tools.bank.idToken(login.response, login.client)
    await expectNobodyIdentified(tools, new UnsecuredJWT(claims).encode())
  },
})

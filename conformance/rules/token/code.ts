import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { expectRefusal } from '../support/client-refusals.js'

export const codeOnce = rule({
  id: 'token/code-once',
  requirement: 'TOK-12',
  title: 'A code is exchanged once; a second exchange is refused',
  needs: toLogIn,
  async check({ bank, expect }) {
    const exchange = await bank.token.variations()
    expect(await exchange()).toHaveStatus(200)
    expectRefusal(expect, await exchange(), 400, 'invalid_grant')
  },
})

export const codeReuse = rule({
  id: 'token/code-reuse',
  requirement: 'TOK-33',
  title: 'A second exchange of a code ends the tokens of the first',
  needs: toLogIn,
  async check({ bank, expect }) {
    const exchange = await bank.token.variations()
    const first = await exchange()
    const token = expect(first.member('access_token'), 'access_token of the token response', first).toBeText()
    const client = await bank.client()
    await bank.introspection.fresh({ client, token })
    await exchange()
    const introspected = await bank.introspection.try({ client, token })
    expect(introspected.member('active'), 'active of an access token whose code was used again', introspected).toDiffer(
      true,
      'that of a live token',
    )
  },
})

export const codeOfAnother = rule({
  id: 'token/code-of-another',
  requirement: 'TOK-13',
  title: 'A code used by another client is refused',
  needs: toLogIn,
  async check({ bank, expect }) {
    const other = await bank.client({ client_name: 'Another client' })
    const refusal = await bank.token.modified({}, () => ({ client: other }))
    expectRefusal(expect, refusal, 400, 'invalid_grant')
  },
})

export const redirectUri = rule({
  id: 'token/redirect-uri',
  requirement: 'TOK-36',
  title: 'A code with another redirect_uri, or none, is refused',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const changes: Record<string, (uri?: string) => string | undefined> = {
      'another redirect_uri': (uri) => `${uri}/other`,
      'no redirect_uri': () => undefined,
    }
    for (const [what, change] of Object.entries(changes)) {
      await inVariation(what, async () => {
        const refusal = await bank.token.modified({}, ({ form }) => ({
          form: { ...form, redirect_uri: change(form.redirect_uri) },
        }))
        expectRefusal(expect, refusal, 400, 'invalid_grant', 'invalid_request')
      })
    }
  },
})

export const unregisteredGrant = rule({
  id: 'token/unregistered-grant',
  requirement: 'TOK-28',
  title: 'A grant that the client has not registered is refused with unauthorized_client',
  needs: toLogIn,
  async check({ bank, expect, note, skip }) {
    const discovery = await bank.discovery()
    if (!discovery.declared('grant_types_supported')?.includes('refresh_token')) {
      return skip('the bank declares no grant but authorization_code')
    }
    const client = await bank.client({ grant_types: ['authorization_code'] })
    const refusal = await bank.token.modified({}, () => ({
      client,
      form: { grant_type: 'refresh_token', refresh_token: 'a-token-of-nobody' },
    }))
    if (refusal.member('error') === 'unsupported_grant_type') note('the bank calls the grant unsupported')
    expectRefusal(expect, refusal, 400, 'unauthorized_client', 'unsupported_grant_type')
  },
})

export const unknownGrant = rule({
  id: 'token/unknown-grant',
  requirement: 'TOK-40',
  title: 'An unknown grant_type is refused with unsupported_grant_type',
  needs: toLogIn,
  async check({ bank, expect }) {
    const refusal = await bank.token.modified({}, ({ form }) => ({
      form: { ...form, grant_type: 'divination' },
    }))
    expectRefusal(expect, refusal, 400, 'unsupported_grant_type')
  },
})

export const missingParameter = rule({
  id: 'token/missing-parameter',
  requirement: 'TOK-41',
  title: 'A missing parameter is refused with invalid_request',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const exchange = await bank.token.variations()
    for (const name of ['grant_type', 'code']) {
      await inVariation(`no ${name}`, async () => {
        const refusal = await exchange(({ form }) => ({ form: { ...form, [name]: undefined } }))
        expectRefusal(expect, refusal, 400, 'invalid_request')
      })
    }
  },
})

export const unknownParameter = rule({
  id: 'token/unknown-parameter',
  requirement: 'TOK-46',
  title: 'POST /token ignores a parameter that it does not know, where a code is redeemed',
  needs: toLogIn,
  async check({ bank, expect }) {
    const tokens = await bank.token.modified({}, ({ form }) => ({ form: { ...form, conformance_unknown: 'x' } }))
    expect(tokens).toHaveStatus(200)
    expect(tokens.member('access_token'), 'access_token of the token response', tokens).toBeText()
  },
})

export const refusalForm = rule({
  id: 'token/refusal-form',
  requirement: 'TOK-17',
  title: 'Refusals are 400 JSON with error and error_description',
  needs: toLogIn,
  async check({ bank, expect, inVariation, reading }) {
    const exchange = await bank.token.variations()
    const changes = { 'an unknown code': { code: 'a-code-of-nobody' }, 'no grant_type': { grant_type: undefined } }
    for (const [what, change] of Object.entries(changes)) {
      await inVariation(what, async () => {
        const refusal = await exchange(({ form }) => ({ form: { ...form, ...change } }))
        expect(refusal).toHaveStatus(400)
        expect(refusal).toHaveMediaType('application/json')
        expect(refusal.json, 'the refusal', refusal).toFitSchema('error')
      })
    }
    await inVariation('no client authentication', async () => {
      const nobody = await exchange(() => ({ authentication: 'none' }))
      expect(nobody).toHaveStatus(400, 401)
      expect(nobody).toHaveMediaType('application/json')
      expect(nobody.json, 'the refusal', nobody).toFitSchema('error')
      reading('AMB-29', nobody.status === 400 ? 'bad-request' : 'unauthorized')
    })
  },
})

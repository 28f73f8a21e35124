import { errorOf, redirectedError } from '../../bank/authorization-answer.js'
import { claimsOf, userDataEndpoints } from '../../bank/claims.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { expectCode } from '../support/served-request.js'

/** OpenID Connect Core section 5.5: userinfo and id_token are objects, whose members are null or objects. */
const invalidClaims = [
  '{',
  '[]',
  'null',
  '1',
  '{"userinfo":1}',
  '{"userinfo":[]}',
  '{"userinfo":"name"}',
  '{"id_token":["sub"]}',
  '{"userinfo":{"name":1}}',
  '{"id_token":{"acr":true}}',
  '{"userinfo":{"name":true}}',
  '{"userinfo":{"name":"essential"}}',
  '{}x',
]

export const claimsInvalid = rule({
  id: 'authorization/claims-invalid',
  requirement: 'AUTH-19',
  places: [
    ...['wrong', 'other-type', 'null', 'superset'].map((value) => `value=${value}`),
    ...['userinfo', 'id_token', 'scalar', 'claim'].map((member) => `member=${member}`),
    'member=userinfo value=other-type',
    ...['boolean', 'text'].map((type) => `member=claim-${type}`),
  ],
  title: 'claims that are not a JSON object of the defined form are 302 invalid_request',
  needs: toLogIn,
  async check({ bank, expect, inVariation, reading }) {
    const codes: (string | undefined)[] = []
    for (const claims of invalidClaims) {
      await inVariation(`claims ${claims}`, async () => {
        const response = await bank.authorizationRequest.modified({}, ({ parameters }) => ({
          parameters: { ...parameters, claims },
        }))
        // Ignored when it is valid (claims_parameter_supported is false), it may be ignored when it is not.
        const isIgnored = response.location === undefined && response.status < 300
        const refusal = isIgnored ? undefined : errorOf(response)
        if (refusal) {
          expect(refusal, 'the answer', response).toSatisfy(
            ({ to, code }) => to === 'redirect' && code === 'invalid_request',
            String(redirectedError('invalid_request')),
          )
        }
        if (codes.length > 0)
          expect(refusal?.code, 'the error, the same for all claims that are invalid,', response).toBe(codes[0])
        codes.push(refusal?.code)
      })
    }
    reading('AMB-55', codes.includes(undefined) ? 'ignored' : 'refused')
  },
})

export const claimsValid = rule({
  id: 'authorization/claims-ignored',
  requirement: 'AUTH-45',
  places: [
    'value=right',
    'member=values',
    'member=essential',
    'member=essential value=unknown',
    'member=conformance',
    'endpoint=userinfo',
    'endpoint=profile',
    'token=id-of-code',
  ],
  title: 'Valid claims are ignored while discovery does not declare them: they are no error, and give nothing',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const discovery = await bank.discovery()
    if (discovery.member('claims_parameter_supported') === true) return skip('the bank declares the parameter claims')
    const { dataScopes } = await bank.client()
    const [asked, ...unasked] = dataScopes
    const known = userDataEndpoints.flatMap((endpoint) => claimsOf(endpoint, unasked))
    const wanted = Object.fromEntries(known.map((claim, i) => [claim, i % 2 === 0 ? null : { essential: true }]))
    const others = { auth_time: { essential: true }, acr: { values: ['loa3', 'loa2'] } }
    // What is not understood is ignored (OpenID Connect Core section 5.5), and what cannot be had is no error (section 5.5.1).
    const unknown = { conformance: { essential: true } }
    const claims = JSON.stringify({
      userinfo: { ...wanted, ...unknown },
      id_token: { ...wanted, ...others },
      conformance: {},
    })
    const authorization = await bank.authorization.try({
      scope: ['openid', ...(asked ? [asked] : [])].join(' '),
      parameters: { claims },
    })
    expectCode(expect, authorization)
    if (!asked) return
    const login = await bank.token.fresh({ authorization })
    // What comes without the parameter as well is the business of other rules.
    const plain = await bank.token()
    const expectNothing = (found: object, without: object, where: string, response: HttpResponse) => {
      const given = Object.keys(found).filter((claim) => claim in wanted && !(claim in without))
      expect(given, `the claims in the ${where} that the parameter claims alone asks for`, response).toEqual([])
    }
    await inVariation('the id_token', async () =>
      expectNothing(await bank.idTokenClaims(login), await bank.idTokenClaims(plain), 'id_token', login.response),
    )
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const { claims: found, response } = await bank.userData[endpoint](login)
        expectNothing(found, (await bank.userData[endpoint](plain)).claims, endpoint, response)
      })
    }
  },
})

export const claimsOfLevel = rule({
  id: 'authorization/claims-acr-ignored',
  requirement: 'AUTH-45',
  places: ['member=acr'],
  title: 'acr in claims is ignored while discovery does not declare the parameter: no second factor is asked for',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect, skip }) {
    const discovery = await bank.discovery()
    if (discovery.member('claims_parameter_supported') === true) return skip('the bank declares the parameter claims')
    const session = await bank.sharedSession()
    const plain = await session.look({})
    if (plain.pages.includes('second-factor')) return skip('the bank asks for a second factor each time')
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'loa3', values: ['loa3'] } } })
    const { pages, response } = await session.look({ parameters: { claims } })
    expect(pages, 'the pages shown', response).toLack('second-factor')
  },
})

import { authenticatedBy } from '../../bank/client-metadata.js'
import { type RosRequest, requestObject } from '../../bank/ros.js'
import { rule } from '../../harness/rule.js'
import { rs256Signer } from '../../service/client-keys.js'
import { sha512 } from '../../service/request-objects.js'
import { toSign } from '../../target/needs.js'
import { unlessHandshakeFails } from '../support/refusals.js'
import { codeIn, expectObjectRefused, isAuthorized } from './refusals.js'

/** The claims with the structured scope's envelope changed. */
function withEnvelope(claims: Record<string, unknown>, change: (envelope: Record<string, unknown>) => object) {
  const scope = claims.structured_scope as { documentObjects: Record<string, unknown> }
  return { ...claims, structured_scope: { ...scope, documentObjects: change(scope.documentObjects) } }
}

function without(members: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

export const accepted = rule({
  id: 'signing/request-object',
  requirement: 'SIGN-1',
  title: 'POST /ros takes a request object and answers with a request_uri and exp',
  needs: toSign,
  async check({ bank, expect, reading }) {
    const { response } = await bank.signing.registered()
    expect(response).toHaveStatus(200, 201)
    expect(response).toHaveMediaType('application/json')
    const uri = expect(response.member('request_uri'), 'request_uri', response).toBeText()
    expect(uri, 'request_uri', response).toSatisfy((text) => URL.canParse(text), 'a URI')
    expect(response.member('exp'), 'exp', response).toSatisfy(
      (exp) => Number.isInteger(exp) && Number(exp) > 1e9,
      'Unix seconds: an integer above 1000000000',
    )
    reading('AMB-38', 'served')
    reading('AMB-30', bank.signing.named ? 'in-target-file' : 'as-published')
  },
})

export const scopesRequired = rule({
  id: 'signing/scopes-of-the-unknown',
  requirement: 'SIGN-3',
  title: 'Without an access token the scopes openid and authorization are required',
  needs: toSign,
  async check({ bank, expect, inVariation }) {
    for (const scope of ['openid', 'authorization', '', undefined]) {
      const replace = ({ claims }: RosRequest) => ({
        claims: scope === undefined ? without(claims, 'scope') : { ...claims, scope },
      })
      await inVariation(scope === undefined ? 'no scope' : `scope "${scope}"`, async () =>
        expectObjectRefused(expect, await bank.signing.sendModified({}, replace)),
      )
    }
  },
})

export const documentByLoa3 = rule({
  id: 'signing/document-by-loa3',
  requirement: 'SIGN-5',
  title: 'A document request without acr_values loa3 gets an error',
  needs: toSign,
  async check({ bank, expect, inVariation, reading }) {
    for (const kind of ['document', 'documents'] as const) {
      const replace = ({ claims }: RosRequest) => ({ claims: { ...claims, acr_values: 'loa2' } })
      await inVariation(`${kind} with acr_values loa2`, async () =>
        expectObjectRefused(expect, await bank.signing.sendModified({ kind }, replace)),
      )
    }
    const spelled = await bank.signing.sendModified({ kind: 'document' }, ({ claims }) => ({
      claims: { ...without(claims, 'acr_values'), acr_value: 'loa3' },
    }))
    reading('AMB-62', isAuthorized(spelled) ? 'both-spellings' : 'acr-values-only')
  },
})

export const maxAgeRequired = rule({
  id: 'signing/max-age-required',
  requirement: 'SIGN-7',
  title: 'A request object without max_age is refused',
  needs: toSign,
  async check({ bank, expect }) {
    const replace = ({ claims }: RosRequest) => ({ claims: without(claims, 'max_age') })
    expectObjectRefused(expect, await bank.signing.sendModified({}, replace))
  },
})

export const expiry = rule({
  id: 'signing/exp-by-max-age',
  requirement: 'SIGN-28',
  title: 'exp takes max_age into account: it differs with it, and does not fall short of it',
  needs: toSign,
  async check({ bank, expect, service }) {
    const [short, long] = [120, 86_400]
    const lives = []
    for (const max_age of [short, long]) {
      const asked = service.clock()
      const { response } = await bank.signing.registered({ claims: { max_age } })
      const life = Number(response.member('exp')) - asked
      expect(life, `the time until exp, where max_age is ${max_age} s,`, response).toBeAtLeast(max_age - 1, 's')
      lives.push(life)
    }
    const [ofShort = 0, ofLong = 0] = lives
    expect(ofLong, `the seconds until exp, where max_age is ${long} s,`).toSatisfy(
      (life) => life > ofShort,
      `more than the ${ofShort} for a max_age of ${short} s`,
    )
  },
})

export const outOfBand = rule({
  id: 'signing/out-of-band-lives-longer',
  requirement: 'SIGN-29',
  title: 'With one max_age an object without an access token lives longer than one with',
  needs: toSign,
  async check({ bank, expect, service }) {
    const clientMetadata = await bank.signing.metadata()
    const { accessToken } = await bank.login({ clientMetadata })
    const lives = []
    for (const bearer of [{ bearer: accessToken }, {}]) {
      const before = service.clock()
      const { response } = await bank.signing.register(bearer)
      const exp = Number(response.member('exp'))
      lives.push({ least: exp - service.clock(), most: exp - before, response })
    }
    const [single, remote] = lives
    expect(remote?.least, 'the seconds until exp of an object without an access token', remote?.response).toSatisfy(
      (least) => Number(least) > Number(single?.most),
      `more than the ${single?.most} of one with an access token`,
    )
  },
})

export const bearerTaken = rule({
  id: 'signing/bearer-taken',
  requirement: 'SIGN-48',
  title: 'POST /ros takes a Bearer access token, and refuses one that is none',
  needs: toSign,
  async check({ bank, expect }) {
    const clientMetadata = await bank.signing.metadata()
    const { accessToken } = await bank.login({ clientMetadata })
    const response = await bank.sendModified(requestObject(), () => ({ bearer: accessToken }))
    expect(response).toHaveStatus(200, 201)
    expectObjectRefused(
      expect,
      await bank.signing.sendModified({}, () => ({ bearer: `${accessToken.slice(0, -4)}none` })),
    )
  },
})

export const unknownKind = rule({
  id: 'signing/unknown-kind',
  requirement: 'SIGN-30',
  title: 'An unknown kind of object is refused, alone and beside a known one',
  needs: toSign,
  async check({ bank, expect, inVariation }) {
    for (const beside of [true, false]) {
      const replace = ({ claims }: RosRequest) => ({
        claims: {
          ...claims,
          structured_scope: { ...(beside ? (claims.structured_scope as object) : {}), paymentObject: { amount: '1' } },
        },
      })
      await inVariation(`paymentObject ${beside ? 'beside signObject' : 'alone'}`, async () =>
        expectObjectRefused(expect, await bank.signing.sendModified({}, replace)),
      )
    }
  },
})

export const tenDocuments = rule({
  id: 'signing/eleven-documents',
  requirement: 'SIGN-38',
  title: 'Ten documents are taken, eleven are refused',
  needs: toSign,
  async check({ bank, expect }) {
    const ten = { kind: 'documents', count: 10 } as const
    expect(await bank.signing.send(await bank.signing.request(ten))).toHaveStatus(200, 201)
    const { claims } = await bank.signing.request({ kind: 'documents', count: 11 })
    expectObjectRefused(expect, await bank.signing.sendModified(ten, () => ({ claims })))
  },
})

export const wholeEnvelope = rule({
  id: 'signing/whole-envelope',
  requirement: 'SIGN-39',
  title: 'An envelope without name, hash or document is refused',
  needs: toSign,
  async check({ bank, expect, inVariation }) {
    const changes: Record<string, (envelope: Record<string, unknown>) => object> = {
      'no envelope_name': (envelope) => without(envelope, 'envelope_name'),
      'no envelope_hash': (envelope) => without(envelope, 'envelope_hash'),
      'no document': (envelope) => ({ ...envelope, documents: [], envelope_hash: sha512('') }),
    }
    for (const [what, change] of Object.entries(changes)) {
      const replace = ({ claims }: RosRequest) => ({ claims: withEnvelope(claims, change) })
      await inVariation(what, async () =>
        expectObjectRefused(expect, await bank.signing.sendModified({ kind: 'documents' }, replace)),
      )
    }
  },
})

export const envelopeHash = rule({
  id: 'signing/envelope-hash',
  requirement: 'SIGN-40',
  title: 'An envelope_hash that does not fit the documents is refused',
  needs: toSign,
  async check({ bank, expect }) {
    const replace = ({ claims }: RosRequest) => ({
      claims: withEnvelope(claims, (envelope) => ({ ...envelope, envelope_hash: sha512('another document') })),
    })
    expectObjectRefused(expect, await bank.signing.sendModified({ kind: 'documents' }, replace))
  },
})

export const forbiddenAlgorithms = rule({
  id: 'signing/forbidden-algorithms',
  requirement: 'SIGN-41',
  title: 'A request object signed with RS256, or with none, is refused',
  needs: toSign,
  async check({ bank, expect, inVariation }) {
    const { request } = await bank.signing.registered()
    const signers = { RS256: await rs256Signer(request.client.keys), none: 'none' } as const
    for (const [alg, signer] of Object.entries(signers)) {
      await inVariation(`a request object of alg ${alg}`, async () =>
        expectObjectRefused(expect, await bank.signing.sendModified({}, () => ({ signer }))),
      )
    }
  },
})

export const signedAndEncrypted = rule({
  id: 'signing/signed-and-encrypted',
  requirement: 'SIGN-42',
  title: 'A request object that is only signed, or only encrypted, is refused',
  needs: toSign,
  async check({ bank, expect, inVariation }) {
    const changes: Record<string, Partial<RosRequest>> = {
      'a request object that is only signed': { encryption: 'none' },
      'a request object that is only encrypted': { signer: 'none' },
    }
    for (const [what, change] of Object.entries(changes)) {
      await inVariation(what, async () =>
        expectObjectRefused(expect, await bank.signing.sendModified({}, () => change)),
      )
    }
  },
})

export const certificateRequired = rule({
  id: 'signing/certificate-required',
  requirement: 'SIGN-43',
  title: 'POST /ros without a client certificate is refused',
  needs: toSign,
  async check({ bank, expect, reading }) {
    // A handshake that fails for want of a certificate is a refusal too.
    const response = await unlessHandshakeFails(() =>
      bank.sendModified(requestObject(), () => ({ certificate: false })),
    )
    if (response) expect(response).toHaveStatus(400, 401, 403)
    reading('AMB-65', bank.signing.ownHost ? 'own-address' : response ? 'signing-grants-only' : 'whole-host')
  },
})

export const privateKeyJwt = rule({
  id: 'signing/private-key-jwt-only',
  requirement: 'SIGN-22',
  title: 'A client that authenticates by a secret is refused',
  needs: toSign,
  async check({ bank, expect, inVariation, note }) {
    const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
    for (const method of ['client_secret_post', 'client_secret_jwt'].filter((one) => declared.includes(one))) {
      const clientMetadata = authenticatedBy(method)
      const registration = await bank.registration(await bank.signing.metadata(clientMetadata))
      if (registration.response.status >= 400) {
        note(`${method} cannot be registered`)
        continue
      }
      await inVariation(`a client of ${method}`, async () => {
        const request = await bank.signing.request({ clientMetadata })
        const outcome = await bank.signing.sendModified({}, () => request)
        const code = outcome.accepted && codeIn(outcome.accepted.visit)
        if (!outcome.accepted || !code) return expectObjectRefused(expect, outcome)
        // It is at POST /token that a client authenticates.
        await bank.signing.result()
        const exchange = await bank.signing.exchange(outcome.accepted.object, code)
        expect(exchange).toHaveStatus(400, 401)
      })
    }
  },
})

import type { Bank } from '../../bank/bank.js'
import type { AssertionChanges } from '../../bank/client-authentication.js'
import { asOwn, type Client } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import type { RequestObjectOptions } from '../../bank/ros.js'
import type { SignedExchange } from '../../bank/signing.js'
import { Skip } from '../../evidence/failure.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { foreignSigner } from '../../service/client-keys.js'
import { unsigned, untrustedCertificate } from '../../service/untrusted.js'
import { toRegister, toSign } from '../../target/needs.js'
import { wrongAudiences, wrongLifetimes, wrongNames, wrongSignatures } from '../support/assertion-flaws.js'
import { byPost, bySecretJwt } from '../support/client-methods.js'
import { unlessHandshakeFails } from '../support/refusals.js'
import { forbiddenSigner } from './forbidden-signer.js'

type Replacement = Partial<SignedExchange>
/** The steps that take the place of good ones. @throws Skip with the reason where what is needed to try it is not there */
type Broken = (good: SignedExchange, bank: Bank) => Replacement | Promise<Replacement>

/** What the code of an authorized object is not exchanged for. */
interface Row {
  slug: string
  requirement: string
  places: readonly string[]
  title: string
  /** What the authorized object is like. Default: one of a text. */
  like?(bank: Bank): Promise<RequestObjectOptions>
  /** By what is wrong. */
  broken: Record<string, Broken>
}

/** A client assertion that is signed otherwise. */
const assertionBy =
  (alg: string): Broken =>
  async (_good, bank) => ({ authentication: { signer: await forbiddenSigner(bank, alg) } })

/** The client's assertion without a signature. */
const unsignedAssertion: Broken = ({ client, audience = '' }) => {
  const at = Math.floor(Date.now() / 1000)
  const claims = {
    iss: client.clientId,
    sub: client.clientId,
    aud: audience,
    iat: at,
    exp: at + 60,
    jti: `${at}-unsigned`,
  }
  return { authentication: { jwt: unsigned(claims) } }
}

/** A parameter of the form otherwise; undefined leaves it out. */
const redirectUri =
  (change: (registered: string) => string | undefined): Broken =>
  ({ form, client }) => ({ form: { ...form, redirect_uri: change(client.redirectUri) } })

const withOwnKeys = async (bank: Bank): Promise<RequestObjectOptions> => {
  const { clientMetadata } = await bank.signing.unnamedAlgorithms()
  return { clientMetadata }
}

/** An assertion with each of these flaws; client_id names the client also where sub does not. */
function assertionsWith(
  flaws: (asserted: { client: Pick<Client, 'clientId'>; endpoint: string }) => Record<string, AssertionChanges>,
): Record<string, Broken> {
  const names = Object.keys(flaws({ client: { clientId: 'Client' }, endpoint: 'https://bank.example/token' }))
  return Object.fromEntries(
    names.map((name): [string, Broken] => [
      `a client assertion ${name}`,
      ({ client, audience, endpoint, form, authentication }) => {
        const flaw = flaws({ client, endpoint: audience ?? endpoint })[name]
        if (!flaw) throw new Skip('the client_id is the same in capitals')
        const good: AssertionChanges = authentication === 'none' || 'bearer' in authentication ? {} : authentication
        return { form: { ...form, client_id: client.clientId }, authentication: { ...good, ...flaw } }
      },
    ]),
  )
}

const inTheFlow = 'endpoint=token grant=signing'

const rows: readonly Row[] = [
  {
    slug: 'certificate-at-token',
    requirement: 'SIGN-22',
    places: [
      'endpoint=token certificate=none',
      'endpoint=token certificate=untrusted',
      'endpoint=token certificate=other-of-same-ca',
    ],
    title: 'The code of an authorized object is exchanged with the certificate alone that its request object came with',
    broken: {
      'without a client certificate': () => ({ certificate: false }),
      'without a client certificate, at the declared address': async (_good, bank) => {
        const endpoint = await (await bank.discovery()).endpoint('token_endpoint')
        return { certificate: false, endpoint, audience: endpoint }
      },
      'with a certificate of an unknown authority': async () => ({ certificate: await untrustedCertificate() }),
      "with somebody else's certificate": async (_good, bank) => {
        const certificate = await bank.signing.otherCertificate()
        if (!certificate) throw new Skip('the target file names no service.other_client_certificate')
        return { certificate }
      },
    },
  },
  {
    slug: 'confidential-clients',
    requirement: 'SIGN-16',
    places: ['value=missing', 'caller=other-client', 'value=wrong', 'client-auth=client_secret_post'],
    title: 'A client without credentials, or with those of another, gets no result of the signing flow',
    broken: {
      'without credentials': ({ form, client }) => ({
        form: { ...form, client_id: client.clientId },
        authentication: 'none',
      }),
      'by another client': async (_good, bank) => {
        const metadata = await bank.signing.metadata({ client_name: 'Conformance another signer' })
        return { client: await bank.client(metadata) }
      },
      'with an assertion by a key that is not its own': async ({ client }) => ({
        authentication: { signer: await foreignSigner('ES256', client.keys.es256?.kid) },
      }),
      'by its secret in place of an assertion': ({ form, client: { clientId, clientSecret } }) => {
        if (clientSecret === undefined) throw new Skip('the bank gives such a client no secret')
        return { form: { ...form, client_id: clientId, client_secret: clientSecret }, authentication: 'none' }
      },
    },
  },
  {
    slug: 'assertion-algorithms',
    requirement: 'SIGN-15',
    places: ['PS384', 'ES384', 'HS256', 'HS512'].map((alg) => `token=client-assertion alg=${alg}`),
    title: 'The client assertion of the signing flow is refused by any other algorithm than those of the flow',
    like: withOwnKeys,
    broken: Object.fromEntries(
      ['PS384', 'ES384', 'HS256', 'HS512'].map((alg) => [`a client assertion of alg ${alg}`, assertionBy(alg)]),
    ),
  },
  {
    slug: 'forbidden-assertion-algorithms',
    requirement: 'SIGN-41',
    places: ['RS256', 'RS384', 'RS512', 'none'].map((alg) => `token=client-assertion alg=${alg}`),
    title: 'The client assertion of the signing flow is refused by RS256 and its like, and by none',
    like: withOwnKeys,
    broken: {
      'a client assertion of alg RS256': assertionBy('RS256'),
      'a client assertion of alg RS384': assertionBy('RS384'),
      'a client assertion of alg RS512': assertionBy('RS512'),
      'a client assertion of alg none': unsignedAssertion,
    },
  },
  {
    slug: 'assertion-claims',
    requirement: 'TOK-14',
    places: ['iss', 'sub', 'aud'].map((part) => `${inTheFlow} part=${part}`),
    title:
      'The client assertion of the signing flow is of the client that the code is for, and made out to the address of /token',
    broken: assertionsWith((asserted) => ({ ...wrongNames(asserted), ...wrongAudiences(asserted) })),
  },
  {
    slug: 'assertion-lifetime',
    requirement: 'TOK-38',
    places: ['exp', 'jti'].map((part) => `${inTheFlow} part=${part}`),
    title: 'The client assertion of the signing flow is refused past its exp, or without exp or jti',
    broken: assertionsWith(() => wrongLifetimes(Math.floor(Date.now() / 1000))),
  },
  {
    slug: 'assertion-signature',
    requirement: 'TOK-39',
    places: [`${inTheFlow} part=signature`],
    title: 'The client assertion of the signing flow is refused where its signature does not hold for it',
    broken: assertionsWith(() => wrongSignatures({})),
  },
  {
    slug: 'redirect-uri-at-token',
    requirement: 'SIGN-45',
    places: ['endpoint=token value=missing', 'endpoint=token value=suffix', 'endpoint=token value=wrong'],
    title: 'The code of an authorized object is exchanged with the redirect URI of its request alone',
    broken: {
      'without redirect_uri': redirectUri(() => undefined),
      'with a trailing slash of redirect_uri': redirectUri((registered) => `${registered}/`),
      'with another redirect_uri': redirectUri(() => 'https://evil.example/callback'),
    },
  },
]

/** A handshake that fails for want of the certificate is a refusal too. */
async function expectNothingGiven({ expect }: Tools, send: () => Promise<HttpResponse>): Promise<void> {
  const response = await unlessHandshakeFails(expect, send)
  if (!response) return
  expect(response).toHaveStatus(400, 401, 403)
  expect(response.member('access_token'), 'access_token of the refusal', response).toBe(undefined)
}

/**
 * The table as rules. One code is tried in every way, and at last in the good one, which shows that it was good all the time; where it is not,
 * a refusal may have ended it, and every other way gets a code of its own.
 */
export const exchangeRefusals: readonly Rule[] = rows.map(({ slug, requirement, places, title, like, broken }) =>
  rule({
    id: `signing/${slug}`,
    requirement,
    places,
    title,
    needs: toSign,
    async check(tools) {
      const { bank, inVariation, note } = tools
      const options = (await like?.(bank)) ?? {}
      const ways: [string, (good: SignedExchange) => Replacement | Promise<Replacement>][] = []
      const good = await bank.signing.result.variations(options)
      for (const [how, change] of Object.entries(broken)) {
        try {
          await inVariation(how, () => expectNothingGiven(tools, () => good((one) => change(one, bank))))
          ways.push([how, (one) => change(one, bank)])
        } catch (error) {
          if (!(error instanceof Skip)) throw error
          note(`${how} was not tried: ${error.message}`)
        }
      }
      const last = await good()
      if (last.status === 200) return
      for (const [how, replace] of ways.slice(1)) {
        await inVariation(`${how}, with a code of its own`, () =>
          expectNothingGiven(tools, () => bank.signing.result.modified(options, replace)),
        )
      }
    },
  }),
)

export const changedMethod = rule({
  id: 'signing/method-changed',
  requirement: 'SIGN-22',
  places: ['client_secret_post', 'client_secret_jwt'].map(
    (method) => `endpoint=token client-auth=${method} use=after-put`,
  ),
  title:
    'The code of an authorized object is not exchanged by a secret, once a PUT changed how the client authenticates',
  needs: [...toSign, ...toRegister],
  async check(tools) {
    const { bank, expect, inVariation, note, skip } = tools
    const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
    const methods = ['client_secret_post', 'client_secret_jwt'].filter((method) => declared.includes(method))
    if (methods.length === 0) return skip('the bank declares no authentication by a secret')
    // One code for both: it is not used up by what is refused.
    const clientMetadata = await bank.signing.metadata({ client_name: 'Conformance signer, later by a secret' })
    const registered = await asOwn(await bank.registration(clientMetadata))
    const exchange = await bank.signing.result.variations({ clientMetadata })
    for (const method of methods) {
      await inVariation(`by ${method}`, async () => {
        const changes =
          method === 'client_secret_jwt'
            ? bySecretJwt('HS512')
            : { ...byPost, token_endpoint_auth_signing_alg: undefined }
        const metadata = replacement(registered, changes)
        // A bank may have signers authenticate by private_key_jwt alone.
        const changed = await bank.manage('PUT', registered, () => ({ record: metadata }))
        if (changed.status === 400) return note(`the bank lets no client of the flow change to ${method}`)
        expect(changed.status, 'the status of the PUT', changed).toBeAtMost(299)
        // A bank may issue one with the change (AMB-21).
        const clientSecret = (await bank.manage('GET', registered)).member('client_secret') ?? registered.clientSecret
        if (typeof clientSecret !== 'string')
          return note(`the bank gives no secret to a client that changes to ${method}`)
        const client = { ...registered, metadata, clientSecret }
        await expectNothingGiven(tools, () => exchange(() => ({ client, authentication: {} })))
      })
    }
  },
})

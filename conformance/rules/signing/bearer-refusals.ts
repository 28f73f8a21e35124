import type { SignedKind } from '../../bank/signed-kind.js'
import type { Rule, Tools } from '../../harness/rule.js'
import { foreignSigner } from '../../service/client-keys.js'
import { sha512 } from '../../service/request-objects.js'
import { toSign } from '../../target/needs.js'
import { redirectInObjectAlone } from './other-redirect-uris.js'
import {
  type Claims,
  claim,
  claims,
  elsewhere,
  envelope,
  inEnvelope,
  objectIn,
  redirectTo,
  refusalRules,
  without,
} from './refused-objects.js'

/** Good objects of one kind of which the bank is told the person: one that comes with an access token, and one with id_token_hint. */
const personTold =
  (kind: SignedKind, count?: number) =>
  async ({ bank }: Tools) => {
    const login = await bank.signing.login()
    const options = { kind, ...(count !== undefined && { count }) }
    return [
      { ...options, bearer: login.accessToken },
      { ...options, claims: { id_token_hint: await bank.hint(login) } },
    ]
  }

/** Members of an envelope that comes so in place of the good ones. */
const members = (changes: Claims) => envelope((good) => ({ ...good, ...changes }))

/** A kind of object beside those that are known. */
const beside = (name: string, object: unknown) =>
  claims((good) => ({ ...good, structured_scope: { ...(good.structured_scope as object), [name]: object } }))

/** What is refused of a request object is refused as well where an access token or id_token_hint tells who is to authorize it. */
export const bearerRefusals: readonly Rule[] = refusalRules([
  {
    slug: 'eleven-documents-with-token',
    requirement: 'SIGN-38',
    places: ['caller=bearer', 'member=id_token_hint'],
    title: 'Eleven documents that come with an access token or id_token_hint are refused',
    good: personTold('documents', 10),
    broken: { 'eleven documents': inEnvelope(11), 'twenty documents': inEnvelope(20) },
  },
  {
    slug: 'whole-envelope-with-token',
    requirement: 'SIGN-39',
    places: ['caller=bearer member=envelope_name', 'caller=bearer member=envelope_hash', 'member=id_token_hint'],
    title:
      'An envelope without envelope_name or envelope_hash that comes with an access token or id_token_hint is refused',
    good: personTold('documents'),
    broken: {
      'no envelope_name': envelope((good) => without(good, 'envelope_name')),
      'no envelope_hash': envelope((good) => without(good, 'envelope_hash')),
      'envelope_hash ""': members({ envelope_hash: '' }),
      'no document': members({ documents: [], envelope_hash: sha512('') }),
    },
    readable: { 'envelope_name ""': members({ envelope_name: '' }) },
  },
  {
    slug: 'envelope-hash-with-token',
    requirement: 'SIGN-40',
    places: ['caller=bearer', 'member=id_token_hint'],
    title: 'An envelope_hash that does not fit is refused of documents that come with an access token or id_token_hint',
    good: personTold('documents'),
    broken: {
      'the envelope_hash of another document': objectIn('documentObjects', (good) => ({
        ...good,
        envelope_hash: sha512('another document'),
      })),
      'an envelope_hash of which the first half is right': envelope((good) => ({
        ...good,
        envelope_hash: String(good.envelope_hash).slice(0, 64) + sha512('another document').slice(64),
      })),
    },
  },
  {
    slug: 'loa3-of-envelope-with-token',
    requirement: 'SIGN-5',
    places: ['caller=bearer member=documentObjects'],
    title: 'Documents in an envelope that come with an access token or id_token_hint need acr_values loa3',
    good: personTold('documents'),
    broken: { 'acr_values loa2': claim({ acr_values: 'loa2' }) },
  },
  {
    slug: 'unknown-kind-with-token',
    requirement: 'SIGN-30',
    places: ['caller=bearer', 'member=id_token_hint'],
    title:
      'An unknown kind of object beside a known one is refused where both come with an access token or id_token_hint',
    good: personTold('text'),
    broken: {
      'paymentObject beside a known one': beside('paymentObject', { amount: '1' }),
      'a list of paymentObjects beside a known one': beside('paymentObjects', [{ amount: '1' }]),
      'a kind with a longer name than a known one': beside('signObjectExtended', { amount: '1' }),
      'paymentObject alone': claim({ structured_scope: { paymentObject: { amount: '1' } } }),
      'no object': claim({ structured_scope: {} }),
    },
  },
  {
    slug: 'response-type-with-token',
    requirement: 'SIGN-17',
    places: ['caller=bearer value=unknown', 'member=id_token_hint'],
    title:
      'A response_type that the flow does not have is refused of an object that comes with an access token or id_token_hint',
    good: personTold('text'),
    broken: { 'response_type token': claim({ response_type: 'token' }) },
  },
  {
    slug: 'signed-and-encrypted-with-token',
    requirement: 'SIGN-42',
    places: ['caller=bearer part=signature', 'caller=bearer part=encryption'],
    title:
      'A request object that comes with an access token or id_token_hint is refused unless it is signed by its client, and encrypted',
    good: personTold('text'),
    broken: {
      'a request object that is only signed': () => ({ encryption: 'none' }),
      'a request object that is only encrypted': () => ({ signer: 'none' }),
      'a request object signed with a key that nobody published': async ({ signer }) =>
        typeof signer === 'string' ? {} : { signer: await foreignSigner(signer.alg, signer.kid) },
    },
  },
  {
    slug: 'redirect-uri-with-token',
    requirement: 'SIGN-45',
    places: [
      'caller=bearer value=wrong',
      'caller=bearer value=missing',
      'endpoint=ros caller=bearer member=redirect_uri',
      'member=id_token_hint',
    ],
    needs: [...toSign, 'redirect'],
    title:
      'A redirect URI that is missing or is not exactly a registered one is refused of an object that comes with an access token or id_token_hint',
    good: personTold('text'),
    broken: {
      'another host of redirect_uri': redirectTo(() => elsewhere),
      'no redirect_uri': redirectTo(() => undefined),
    },
    passedOver: redirectInObjectAlone,
  },
])

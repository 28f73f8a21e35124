import type { Kind } from '../../bank/ros.js'
import type { Rule, Tools } from '../../harness/rule.js'
import { foreignSigner } from '../../service/client-keys.js'
import { sha512 } from '../../service/request-objects.js'
import { toSign } from '../../target/needs.js'
import {
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

/** Good objects of one kind that come with an access token. */
const borne =
  (kind: Kind, count?: number) =>
  async ({ bank }: Tools) => {
    const { accessToken: bearer } = await bank.signing.login()
    return [{ kind, bearer, ...(count !== undefined && { count }) }]
  }

/** What is refused of a request object is refused as well where an access token tells who is to authorize it. */
export const bearerRefusals: readonly Rule[] = refusalRules([
  {
    slug: 'eleven-documents-with-token',
    requirement: 'SIGN-38',
    places: ['caller=bearer'],
    title: 'Eleven documents that come with an access token are refused',
    good: borne('documents', 10),
    broken: { 'eleven documents': inEnvelope(11) },
  },
  {
    slug: 'whole-envelope-with-token',
    requirement: 'SIGN-39',
    places: ['envelope_name', 'envelope_hash'].map((member) => `caller=bearer member=${member}`),
    title: 'An envelope without envelope_name or envelope_hash that comes with an access token is refused',
    good: borne('documents'),
    broken: {
      'no envelope_name': envelope((good) => without(good, 'envelope_name')),
      'no envelope_hash': envelope((good) => without(good, 'envelope_hash')),
    },
  },
  {
    slug: 'envelope-hash-with-token',
    requirement: 'SIGN-40',
    places: ['caller=bearer'],
    title: 'An envelope_hash that does not fit is refused of documents that come with an access token',
    good: borne('documents'),
    broken: {
      'the envelope_hash of another document': objectIn('documentObjects', (good) => ({
        ...good,
        envelope_hash: sha512('another document'),
      })),
    },
  },
  {
    slug: 'loa3-of-envelope-with-token',
    requirement: 'SIGN-5',
    places: ['caller=bearer member=documentObjects'],
    title: 'Documents in an envelope that come with an access token need acr_values loa3',
    good: borne('documents'),
    broken: { 'acr_values loa2': claim({ acr_values: 'loa2' }) },
  },
  {
    slug: 'unknown-kind-with-token',
    requirement: 'SIGN-30',
    places: ['caller=bearer'],
    title: 'An unknown kind of object beside a known one is refused where both come with an access token',
    good: borne('text'),
    broken: {
      'paymentObject beside a known one': claims((good) => ({
        ...good,
        structured_scope: { ...(good.structured_scope as object), paymentObject: { amount: '1' } },
      })),
    },
  },
  {
    slug: 'response-type-with-token',
    requirement: 'SIGN-17',
    places: ['caller=bearer value=unknown'],
    title: 'A response_type that the flow does not have is refused of an object that comes with an access token',
    good: borne('text'),
    broken: { 'response_type token': claim({ response_type: 'token' }) },
  },
  {
    slug: 'signed-and-encrypted-with-token',
    requirement: 'SIGN-42',
    places: ['signature', 'encryption'].map((part) => `caller=bearer part=${part}`),
    title:
      'A request object that comes with an access token is refused unless it is signed by its client, and encrypted',
    good: borne('text'),
    broken: {
      'a request object that is only signed': () => ({ encryption: 'none' }),
      'a request object that is only encrypted': () => ({ signer: 'none' }),
      'a request object signed with a key that nobody published': async ({ signer }) =>
        signer === 'none' ? {} : { signer: await foreignSigner(signer.alg, signer.kid) },
    },
  },
  {
    slug: 'redirect-uri-with-token',
    requirement: 'SIGN-45',
    places: ['caller=bearer value=wrong'],
    needs: [...toSign, 'redirect'],
    title: 'A redirect URI that is not registered is refused of an object that comes with an access token',
    good: borne('text'),
    broken: {
      'another host of redirect_uri': redirectTo(() => elsewhere),
    },
  },
])

import { Latest } from '../latest.js'
import type { NestedJwt, NestedJwtFacts } from '../seams.js'
import { type Deviation, type Fault, fault, omit } from './fault.js'
import { type Alteration, altered, type Members } from './signing-alteration.js'

const claims =
  (change: (claims: Members) => Members): Alteration['change'] =>
  (nestedJwt) => ({ ...nestedJwt, claims: change(nestedJwt.claims) })

/** In front of the user c_hash goes with the code (OpenID Connect Core section 3.3.2.11). */
const inFront =
  (change: Alteration['change']): Alteration['change'] =>
  (nestedJwt, scope, facts) =>
    nestedJwt.claims.c_hash === undefined ? nestedJwt : change(nestedJwt, scope, facts)

const ofDocuments =
  (change: Alteration['change']): Alteration['change'] =>
  (nestedJwt, scope, facts) =>
    scope.documentObject || scope.documentObjects ? change(nestedJwt, scope, facts) : nestedJwt

const ofTexts =
  (change: Alteration['change']): Alteration['change'] =>
  (nestedJwt, scope, facts) =>
    scope.signObject ? change(nestedJwt, scope, facts) : nestedJwt

const unencrypted: Alteration['change'] = ({ claims, signing, typ }) => ({ claims, signing, typ })
const unsigned: Alteration['change'] = (nestedJwt) => ({ ...nestedJwt, signing: 'none' })
const signedBy =
  (alg: string): Alteration['change'] =>
  (nestedJwt, _scope, { bankKey }) => ({ ...nestedJwt, signing: { alg, key: { ...bankKey('PS512'), alg } } })

const understated = claims((all) => ({ ...all, acr: 'loa2' }))
const otherSubject = claims((all) => ({ ...all, sub: `signer-${all.sub}` }))

const kinds = ['signObject', 'documentObject', 'documentObjects', 'text-and-documents']

const textsReturned = {
  'signing/sign-object-unchanged': 'nothing comes back',
  'signing/odd-text-unchanged': 'nothing comes back',
  'signing/further-members': 'nothing comes back',
  'signing/one-document': 'nothing comes back',
  'signing/odd-document-unchanged': 'nothing comes back',
  'signing/documents-in-envelope': 'nothing comes back',
  'signing/documents-shuffled': 'nothing comes back',
  'signing/combined': 'nothing comes back',
  'signing/further-members-of-document': 'nothing comes back',
  'signing/further-members-of-envelope': 'nothing comes back',
}

const alterations: readonly Alteration[] = [
  {
    id: 'signing/documents-not-encrypted',
    breaks: ['SIGN-9'],
    places: ['documentObject', 'documentObjects', 'text-and-documents'].map((kind) => `part=encryption member=${kind}`),
    title: 'Does not encrypt the id_token of authorized documents',
    change: ofDocuments(unencrypted),
  },
  {
    id: 'signing/result-unsigned',
    breaks: ['SIGN-9'],
    places: ['part=signature member=signObject'],
    title: 'Does not sign the id_token of an authorized text',
    collateral: {
      'signing/algorithms': 'none is not among the algorithms of SIGN-15',
      'signing/id-token-none': 'a client that registered none gets no signature either',
      'signing/response-types': 'the id_token in front of the user is of a text',
    },
    change: ofTexts(unsigned),
  },
  {
    id: 'signing/documents-unsigned',
    breaks: ['SIGN-9'],
    places: ['documentObject', 'documentObjects', 'text-and-documents'].map((kind) => `part=signature member=${kind}`),
    title: 'Does not sign the id_token of authorized documents',
    change: ofDocuments(unsigned),
  },
  {
    id: 'signing/object-not-returned',
    breaks: ['SIGN-9'],
    places: kinds.map((kind) => `member=${kind} claim=structured_scope`),
    title: 'Does not tell in the id_token what was authorized',
    collateral: textsReturned,
    change: claims((all) => omit(all, 'structured_scope')),
  },
  {
    id: 'signing/object-as-text',
    breaks: ['SIGN-9'],
    places: kinds.map((kind) => `member=${kind} claim=structured_scope`),
    title: 'Tells what was authorized as a text that holds JSON',
    collateral: textsReturned,
    change: claims((all) => ({ ...all, structured_scope: JSON.stringify(all.structured_scope) })),
  },
  {
    id: 'signing/result-by-other-encryption',
    breaks: ['SIGN-9'],
    places: ['part=encryption value=wrong'],
    title: 'Encrypts results with A128GCM, whatever the client registered',
    change: (nestedJwt) =>
      nestedJwt.encryption ? { ...nestedJwt, encryption: { ...nestedJwt.encryption, enc: 'A128GCM' } } : nestedJwt,
  },
  {
    id: 'signing/nonce-of-its-own',
    breaks: ['SIGN-9'],
    places: ['claim=nonce'],
    title: 'Puts a nonce of its own in the place of that of the request object',
    collateral: { 'signing/response-types': 'the id_token in front of the user has no right nonce either' },
    change: claims((all) => ({ ...all, nonce: all.jti })),
  },
  {
    id: 'signing/issuer-with-slash',
    breaks: ['SIGN-9'],
    places: ['claim=iss'],
    title: 'Ends the iss of results with a slash that the issuer does not have',
    change: claims((all) => ({ ...all, iss: `${all.iss}/` })),
  },
  {
    id: 'signing/audience-is-issuer',
    breaks: ['SIGN-9'],
    places: ['claim=aud'],
    title: 'Makes results out to the bank itself',
    collateral: { 'signing/response-types': 'the id_token in front of the user is made out so too' },
    change: claims((all) => ({ ...all, aud: all.iss as string })),
  },
  {
    id: 'signing/result-expired',
    breaks: ['SIGN-9'],
    places: ['claim=exp'],
    title: 'Gives results an exp that is no later than their iat',
    change: claims((all) => ({ ...all, exp: Number(all.iat) })),
  },
  {
    id: 'signing/result-exp-as-text',
    breaks: ['SIGN-9'],
    places: ['claim=exp'],
    title: 'Tells exp of results as a text',
    change: claims((all) => ({ ...all, exp: String(all.exp) as unknown as number })),
  },
  {
    id: 'signing/result-in-milliseconds',
    breaks: ['SIGN-9'],
    places: ['claim=exp', 'claim=iat'],
    title: 'Tells exp and iat of results in milliseconds',
    change: claims((all) => ({ ...all, exp: Number(all.exp) * 1000, iat: Number(all.iat) * 1000 })),
  },
  {
    id: 'signing/result-by-ps384',
    breaks: ['SIGN-15'],
    places: ['token=id-of-signing', 'token=id-of-signing member=documentObject'],
    title: 'Signs results with PS384',
    collateral: {
      'signing/id-token-none': 'it holds results to the same algorithms',
      'signing/response-types': 'it holds the id_token in front of the user to the same algorithms',
    },
    change: signedBy('PS384'),
  },
  {
    id: 'signing/result-by-rs256',
    breaks: ['SIGN-41'],
    places: ['token=id-of-signing alg=RS256', 'token=id-of-signing member=documentObject'],
    title: 'Signs results with RS256',
    collateral: {
      'signing/algorithms': 'RS256 is not among the algorithms of SIGN-15',
      'signing/response-types': 'it holds the id_token in front of the user to the same algorithms',
    },
    change: signedBy('RS256'),
  },
  {
    id: 'signing/front-nonce-missing',
    breaks: ['SIGN-17'],
    places: ['token=id-of-front-channel claim=nonce'],
    title: 'Leaves nonce out of the id_token in front of the user',
    change: inFront(claims((all) => omit(all, 'nonce'))),
  },
  {
    id: 'signing/front-audience-is-issuer',
    breaks: ['SIGN-17'],
    places: ['token=id-of-front-channel claim=aud'],
    title: 'Makes the id_token in front of the user out to the bank itself',
    change: inFront(claims((all) => ({ ...all, aud: all.iss as string }))),
  },
  {
    id: 'signing/front-code-hash-missing',
    breaks: ['SIGN-17'],
    places: ['token=id-of-front-channel claim=c_hash'],
    title: 'Leaves c_hash out of the id_token in front of the user',
    change: inFront(claims((all) => omit(all, 'c_hash'))),
  },
  {
    id: 'signing/front-code-hash-of-another',
    breaks: ['SIGN-17'],
    places: ['token=id-of-front-channel claim=c_hash'],
    title: 'Binds the id_token in front of the user to another code',
    change: inFront(claims((all) => ({ ...all, c_hash: [...String(all.c_hash)].reverse().join('') }))),
  },
  {
    id: 'signing/front-access-token-hash-missing',
    breaks: ['SIGN-17'],
    places: ['token=id-of-front-channel claim=at_hash'],
    title: 'Leaves at_hash out of the id_token in front of the user',
    change: inFront(claims((all) => omit(all, 'at_hash'))),
  },
  {
    id: 'signing/front-not-encrypted',
    breaks: ['SIGN-17'],
    places: ['token=id-of-front-channel part=encryption'],
    title: 'Does not encrypt the id_token in front of the user',
    change: inFront(unencrypted),
  },
  {
    id: 'signing/one-document-understated',
    breaks: ['SIGN-18'],
    places: ['member=text-and-document', 'member=text-and-documents'],
    title: 'Says loa2 of whoever signed documents beside a text',
    change: (nestedJwt, scope, facts) =>
      scope.signObject && (scope.documentObject || scope.documentObjects)
        ? understated(nestedJwt, scope, facts)
        : nestedJwt,
  },
  {
    id: 'signing/other-subject-of-documents',
    breaks: ['SIGN-35'],
    places: ['member=documentObject', 'member=documentObjects', 'member=text-and-documents'],
    title: 'Names the subject of signed documents otherwise than that of a login',
    change: ofDocuments(otherSubject),
  },
  {
    id: 'signing/result-not-encrypted',
    breaks: ['SIGN-9'],
    places: ['part=encryption member=signObject'],
    title: 'Does not encrypt the id_token with the authorized object',
    change: unencrypted,
  },
  {
    id: 'signing/acr-understated',
    breaks: ['SIGN-18'],
    places: ['member=documentObject', 'member=documentObjects'],
    title: 'Says loa2 of whoever signed a document',
    change: (nestedJwt, scope, facts) => (scope.signObject ? nestedJwt : understated(nestedJwt, scope, facts)),
  },
  {
    id: 'signing/other-subject',
    breaks: ['SIGN-35'],
    places: ['member=signObject', 'endpoint=userinfo', 'person=second'],
    title: 'Names the subject of a result otherwise than that of a login',
    change: otherSubject,
  },
]

/** Who signed first at each client. */
type Signers = Latest<string>

const asFirstSigner = (nestedJwt: NestedJwt, { clientId = '' }: NestedJwtFacts, signers: Signers): NestedJwt => {
  const sub = signers.get(clientId)
  return sub === undefined ? nestedJwt : { ...nestedJwt, claims: { ...nestedJwt.claims, sub } }
}

/** The clients of public subjects, and those of them at which somebody signed. */
interface PublicAndSigned {
  known: Latest<true>
  signed: Latest<true>
}

const publicAndSigned = (): PublicAndSigned => ({ known: new Latest(10_000), signed: new Latest(10_000) })

const notesPublic: Deviation<PublicAndSigned>['response'] = {
  'POST /register'(response, _facts, { known }) {
    const { client_id: clientId, subject_type: type } = Object(response.body)
    if (type === 'public') known.set(String(clientId), true)
    return response
  },
}

function pairwise(nestedJwt: NestedJwt): NestedJwt {
  return { ...nestedJwt, claims: { ...nestedJwt.claims, sub: `pairwise-${nestedJwt.claims.sub}` } }
}

function asPairwise(nestedJwt: NestedJwt, { clientId }: NestedJwtFacts, { known, signed }: PublicAndSigned): NestedJwt {
  if (nestedJwt.claims.structured_scope === undefined || !known.has(String(clientId))) return nestedJwt
  signed.set(String(clientId), true)
  return pairwise(nestedJwt)
}

function onceSignedPairwise(
  nestedJwt: NestedJwt,
  { clientId }: NestedJwtFacts,
  { signed }: PublicAndSigned,
): NestedJwt {
  return signed.has(String(clientId)) ? pairwise(nestedJwt) : nestedJwt
}

/** The id_token that an authorized object comes back in. */
export const signingIdTokenFaults: readonly Fault[] = [
  ...altered(alterations),
  ...(
    [
      ['signing/subject-of-public', '', {}],
      ['signing/subject-of-public-everywhere', ', and of what comes later,', { userinfo: onceSignedPairwise }],
    ] as const
  ).map(([id, further, ofOthers]) =>
    fault({
      id,
      breaks: ['SIGN-35'],
      places: ['member=subject_type'],
      title: `Names the subject of a result at a client of public subjects${further} otherwise than in a login`,
      collateral: {
        'introspection/live-signing': 'what /token-info tells of a token of the signing flow is held to its id_token',
        'user-data/signing-subject':
          'what userinfo and profile tell with a token of the signing flow is held to its id_token',
      },
      memory: publicAndSigned,
      response: notesPublic,
      nestedJwt: { id_token: asPairwise, ...ofOthers },
    }),
  ),
  fault({
    id: 'signing/subject-of-the-first',
    breaks: ['SIGN-35'],
    places: ['person=second'],
    title: 'Takes whoever signs at a client for the one who signed there first',
    memory: (): Signers => new Latest(10_000),
    nestedJwt: {
      id_token(nestedJwt, facts, signers) {
        const { clientId = '' } = facts
        const { structured_scope, sub } = nestedJwt.claims
        if (structured_scope !== undefined && !signers.has(clientId)) signers.set(clientId, String(sub))
        return structured_scope === undefined ? nestedJwt : asFirstSigner(nestedJwt, facts, signers)
      },
      userinfo: asFirstSigner,
    },
  }),
]

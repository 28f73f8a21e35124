import { createHash } from 'node:crypto'
import { Latest } from '../latest.js'
import type { NestedJwt, OpenedRequest, SeamResponse } from '../seams.js'
import { body, type Fault, fault } from './fault.js'
import { hasBearer, hasDocuments, isHinted, kindOf } from './signing-leniency.js'

const flowScopes = ['openid', 'authorization']

function scopesOf(scope: unknown): string[] {
  return String(scope ?? '')
    .split(' ')
    .filter(Boolean)
}

/** For `response`: changes the granted scopes of the signing flow's token responses; a login may have scope authorization too. */
function grantedScopes(change: (scopes: string[], ofDocument: boolean) => string[]) {
  return body((tokens, { documentScopes }) => {
    const scopes = scopesOf(tokens.scope)
    const known = [...flowScopes, ...documentScopes]
    const signed = scopes.includes('authorization') && scopes.every((scope) => known.includes(scope))
    if (!signed) return tokens
    return { ...tokens, scope: change(scopes, scopes.length > flowScopes.length).join(' ') }
  })
}

const sixScopes = {
  name: 'profile.name',
  titles: 'profile.titles',
  birthdate: 'profile.birthdate',
  addresses: 'profile.addresses',
  email: 'profile.email',
  'legal-status': 'profile.legalstatus',
}

/** For `requestObject`: drops what is new of the scopes asked for, where the request is meant. */
function newScopesDropped(isMeant: (request: OpenedRequest) => boolean) {
  return (request: OpenedRequest) => {
    const { claims } = request
    if (flowScopes.every((scope) => scopesOf(claims.scope).includes(scope)) && isMeant(request))
      claims.scope = flowScopes.join(' ')
  }
}

/** The hash of an access token that an id_token signed with SHA-256 carries (OpenID Connect Core section 3.1.3.6). */
function accessTokenHash(token: unknown): string {
  const digest = createHash('sha256').update(String(token)).digest()
  return digest.subarray(0, 16).toString('base64url')
}

const kindsGrantedNothing = [
  { slug: 'envelope', place: 'documentObjects', name: 'documents in an envelope', has: ['documentObjects'] },
  {
    slug: 'combined',
    place: 'text-and-document',
    name: 'a document beside a text',
    has: ['documentObject', 'signObject'],
  },
  {
    slug: 'combined-envelope',
    place: 'text-and-documents',
    name: 'documents beside a text',
    has: ['documentObjects', 'signObject'],
  },
]

/** Requests for documents that are granted nothing but what they ask for. */
const requestsGrantedNothing: readonly {
  slug: string
  place: string
  name: string
  isMeant(request: OpenedRequest): boolean
}[] = [
  {
    slug: 'document-beside-token',
    place: 'caller=bearer',
    name: 'a document that comes with an access token',
    isMeant: hasBearer,
  },
  {
    slug: 'document-with-further-scope',
    place: 'value=superset',
    name: 'a document with a scope of its own',
    isMeant: hasFurtherScope,
  },
]

function hasFurtherScope({ claims }: OpenedRequest): boolean {
  return scopesOf(claims.scope).some((scope) => !flowScopes.includes(scope))
}

/** What was asked for, by the nonce of a request object, then by the hash of the access token that it led to. */
type Asked = Latest<readonly string[]>

/** For `requestObject`: notes what requests for documents ask for, where these are meant. */
function noteDocuments(isMeant: (request: OpenedRequest) => boolean) {
  return (request: OpenedRequest, _bank: unknown, asked: Asked) => {
    const { nonce, scope } = request.claims
    if (hasDocuments(request.claims) && isMeant(request)) asked.set(String(nonce), scopesOf(scope))
  }
}

/** Hands what was asked for on from the nonce to the access token. */
function handOn(nestedJwt: NestedJwt, _facts: unknown, asked: Asked): NestedJwt {
  const { nonce, at_hash } = nestedJwt.claims
  const scopes = asked.get(String(nonce))
  if (scopes) asked.set(String(at_hash), scopes)
  return nestedJwt
}

/** For `response`: lists scopes made of those granted and those asked for. */
function listed(change: (granted: readonly string[], asked: readonly string[]) => readonly string[]) {
  return (response: SeamResponse, _facts: unknown, asked: Asked): SeamResponse => {
    const { scope, access_token, ...tokens } = Object(response.body)
    const scopes = response.status === 200 && asked.get(accessTokenHash(access_token))
    if (!scopes) return response
    const all = [...new Set(change(scopesOf(scope), scopes))].join(' ')
    return { ...response, body: { ...tokens, access_token, scope: all } }
  }
}

const askedMemory = (): Asked => new Latest(10_000)

export const signingScopeFaults: readonly Fault[] = [
  ...requestsGrantedNothing.map(({ slug, place, name, isMeant }) =>
    fault({
      id: `signing/${slug}-not-granted`,
      breaks: ['SIGN-37'],
      places: [place],
      title: `Grants none of the six scopes for ${name}`,
      memory: askedMemory,
      requestObject: noteDocuments(isMeant),
      nestedJwt: { id_token: handOn },
      response: {
        'POST /token': listed((granted, asked) => granted.filter((scope) => asked.includes(scope))),
      },
    }),
  ),
  fault({
    id: 'signing/addresses-not-granted-with-further-scope',
    breaks: ['SIGN-37'],
    places: ['value=superset'],
    title: 'Grants no addresses for a document with a scope of its own',
    memory: askedMemory,
    requestObject: noteDocuments(hasFurtherScope),
    nestedJwt: { id_token: handOn },
    response: { 'POST /token': listed((granted) => granted.filter((scope) => scope !== sixScopes.addresses)) },
  }),
  fault({
    id: 'signing/refused-scopes-listed',
    breaks: ['SIGN-46'],
    places: ['member=untick value=superset'],
    title: 'Lists the scopes of a request object that the person refused, where another one was approved',
    memory: askedMemory,
    requestObject({ claims }, _bank, asked) {
      asked.set(String(claims.nonce), scopesOf(claims.scope))
    },
    nestedJwt: { id_token: handOn },
    response: { 'POST /token': listed((granted, asked) => [...granted, ...asked]) },
  }),
  fault({
    id: 'signing/refused-scopes-introspected',
    breaks: ['SIGN-46'],
    places: ['endpoint=token-info member=untick value=superset'],
    title: 'Tells of an access token the scopes of the request object that the person refused',
    memory: askedMemory,
    requestObject({ claims }, _bank, asked) {
      asked.set(String(claims.nonce), scopesOf(claims.scope))
    },
    nestedJwt: { id_token: handOn },
    response: {
      'POST /token-info'(response, { form }, asked) {
        const { active, scope } = Object(response.body)
        const scopes = active === true && asked.get(accessTokenHash(form.get('token')))
        if (!scopes) return response
        const all = [...new Set([...scopesOf(scope), ...scopes])].join(' ')
        return { ...response, body: { ...Object(response.body), scope: all } }
      },
    },
  }),
  ...Object.entries(sixScopes).map(([name, scope]) =>
    fault({
      id: `signing/${name}-not-granted`,
      breaks: ['SIGN-37'],
      places: [`scope=${scope}`],
      title: `Grants five of the six scopes of documents, without ${scope}`,
      response: { 'POST /token': grantedScopes((scopes) => scopes.filter((one) => one !== scope)) },
    }),
  ),
  ...kindsGrantedNothing.map(({ slug, place, name, has }) =>
    fault({
      id: `signing/${slug}-not-granted`,
      breaks: ['SIGN-37'],
      places: [`member=${place}`],
      title: `Grants none of the six scopes for ${name}`,
      /** Hashes of the access tokens that were given for such. */
      memory: () => new Latest<true>(10_000),
      nestedJwt: {
        id_token: (nestedJwt, _facts, given) => {
          const scope = nestedJwt.claims.structured_scope as object | undefined
          if (scope && has.every((one) => one in scope)) given.set(String(nestedJwt.claims.at_hash), true)
          return nestedJwt
        },
      },
      response: {
        'POST /token': (response, facts, given) =>
          given.has(accessTokenHash((response.body as Record<string, unknown>).access_token))
            ? grantedScopes(() => flowScopes)(response, facts)
            : response,
      },
    }),
  ),
  fault({
    id: 'signing/scope-not-listed',
    breaks: ['SIGN-46'],
    places: ['member=signObject value=subset'],
    title: 'Leaves scope authorization out of the token response',
    response: { 'POST /token': grantedScopes((scopes) => scopes.filter((scope) => scope !== 'authorization')) },
  }),
  fault({
    id: 'signing/scope-unasked',
    breaks: ['SIGN-46'],
    places: ['member=signObject value=superset'],
    title: 'Lists a scope for an authorized text that was not asked for',
    response: {
      'POST /token': grantedScopes((scopes, ofDocument) => (ofDocument ? scopes : [...scopes, 'profile.locale'])),
    },
  }),
  fault({
    id: 'signing/scope-unasked-of-document',
    breaks: ['SIGN-46'],
    places: ['member=documentObject value=superset', 'member=documentObjects value=superset'],
    title: 'Lists a scope for authorized documents that was not asked for, and does not come with them',
    response: {
      'POST /token': grantedScopes((scopes, ofDocument) => (ofDocument ? [...scopes, 'profile.locale'] : scopes)),
    },
  }),
  fault({
    id: 'signing/scope-of-document-listed-twice',
    breaks: ['SIGN-46'],
    places: ['member=documentObject value=repeated', 'member=documentObjects value=repeated'],
    title: 'Lists the last of the scopes that come with documents twice',
    response: {
      'POST /token': grantedScopes((scopes, ofDocument) => (ofDocument ? [...scopes, ...scopes.slice(-1)] : scopes)),
    },
  }),
  fault({
    id: 'signing/scopes-of-document-alone-listed',
    breaks: ['SIGN-46'],
    places: ['member=documentObject value=subset', 'member=documentObjects value=subset'],
    title: 'Lists for authorized documents the six scopes alone, and none that was asked for',
    response: {
      'POST /token': grantedScopes((scopes, ofDocument) =>
        ofDocument ? scopes.filter((scope) => !flowScopes.includes(scope)) : scopes,
      ),
    },
  }),
  fault({
    id: 'signing/scopes-of-document-unlisted',
    breaks: ['SIGN-46'],
    places: ['member=documentObject value=missing', 'member=documentObjects value=missing'],
    title: 'Does not list the scopes that come with documents, though the access token has them',
    collateral: Object.fromEntries(
      [
        'introspection/types-signing',
        'introspection/types-throughout',
        'profile/signing-nothing-else',
        'signing/document-scopes',
        'userinfo/signing-nothing-else',
      ].map((rule) => [rule, 'what is granted is read in the token response']),
    ),
    response: {
      'POST /token': grantedScopes((scopes, ofDocument) =>
        ofDocument ? scopes.filter((scope) => flowScopes.includes(scope)) : scopes,
      ),
    },
  }),
  fault({
    id: 'signing/new-scopes-dropped',
    breaks: ['SIGN-6', 'SIGN-27'],
    places: ['use=first', 'member=refuse'],
    title: 'Drops the scopes of a request object that are new, and asks no consent',
    requestObject: newScopesDropped(() => true),
  }),
  fault({
    id: 'signing/new-scopes-of-documents-dropped',
    breaks: ['SIGN-6', 'SIGN-27'],
    places: ['member=documentObject'],
    title: 'Drops the scopes that a request for a document asks for beside the six',
    requestObject: newScopesDropped(({ claims }) => 'documentObject' in (claims.structured_scope as object)),
  }),
  fault({
    id: 'signing/new-scopes-of-envelopes-dropped',
    breaks: ['SIGN-6'],
    places: ['member=documentObjects'],
    title: 'Drops the scopes that a request for documents in an envelope asks for beside the six',
    requestObject: newScopesDropped(({ claims }) => kindOf(claims) === 'documentObjects'),
  }),
  fault({
    id: 'signing/new-scopes-with-hint-dropped',
    breaks: ['SIGN-6'],
    places: ['member=id_token_hint'],
    title: 'Drops the scopes of a request object with id_token_hint',
    requestObject: newScopesDropped(({ claims }) => isHinted(claims)),
  }),
  fault({
    id: 'signing/new-scopes-with-token-dropped',
    breaks: ['SIGN-6'],
    places: ['caller=bearer'],
    title: 'Drops the scopes of a request object that comes with an access token',
    requestObject: newScopesDropped(({ headers }) => headers.authorization !== undefined),
  }),
  fault({
    id: 'signing/further-scopes-dropped',
    breaks: ['SIGN-6'],
    places: ['use=session-login', 'use=second-person'],
    title: 'Asks consent for new scopes once for each client, and drops those that come later',
    collateral: { 'signing/new-scopes-refused': 'its document comes after its text' },
    /** The clients for which consent was asked. */
    memory: () => new Latest<true>(10_000),
    requestObject({ claims }, _bank, asked) {
      if (scopesOf(claims.scope).length <= flowScopes.length) return
      const clientId = String(claims.client_id)
      if (asked.has(clientId)) claims.scope = flowScopes.join(' ')
      asked.set(clientId, true)
    },
  }),
  fault({
    id: 'signing/refused-scopes-remembered',
    breaks: ['SIGN-6'],
    places: ['use=after-refusal'],
    title: 'Asks nobody for new scopes of a request object once more, whatever was answered',
    /** The latest request object of each client, and the first one for which a person was asked for its scopes. */
    memory: () => ({ latest: new Latest<{ txn: number; scopes: string }>(10_000), first: new Latest<number>(10_000) }),
    requestObject({ claims }, _bank, { latest }) {
      const clientId = String(claims.client_id)
      const scopes = scopesOf(claims.scope).toSorted().join(' ')
      latest.set(clientId, { txn: (latest.get(clientId)?.txn ?? 0) + 1, scopes })
    },
    consented(own, { clientId, personId }, { latest, first }) {
      const asked = latest.get(clientId)
      if (!asked) return own
      const key = `${clientId} ${personId} ${asked.scopes}`
      const before = first.get(key) ?? asked.txn
      first.set(key, before)
      return before === asked.txn ? own : [...own, ...asked.scopes.split(' ')]
    },
  }),
  fault({
    id: 'signing/no-data-for-document',
    breaks: ['SIGN-37'],
    places: ['endpoint=profile'],
    title: 'Gives no data at /profile by the access token of a signed document',
    nestedJwt: {
      profile: (nestedJwt) => {
        const { sub, iss, aud, txn, verified_claims } = nestedJwt.claims
        const signed = String(txn).split(':').includes('authorization')
        return signed
          ? { ...nestedJwt, claims: { sub, iss, aud, txn, verified_claims } as typeof nestedJwt.claims }
          : nestedJwt
      },
    },
  }),
  fault({
    id: 'signing/new-scopes-all-unticked',
    breaks: ['SIGN-27'],
    places: ['member=untick'],
    title: 'Goes on to the signature where the person unticked every new scope',
    without: ['signer/new-scopes'],
  }),
]

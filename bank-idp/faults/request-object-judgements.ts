import type { JWTPayload } from 'jose'
import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { JudgedObject, ObjectFacts } from '../seams.js'
import { notedRecords, recordsOfClients } from './client-memory.js'
import { type Fault, fault } from './fault.js'
import { type FaultRow, faultsOf } from './fault-table.js'
import { redirectTarget } from './redirects.js'

/** What the checks are shown in place of what a request object at request_uri says. */
interface Judgement extends FaultRow {
  when(object: JudgedObject): boolean
  seen(object: JudgedObject, facts: ObjectFacts): { claims?: JWTPayload; alg?: string; believed?: boolean }
}

/** A signature that is not looked at, by an algorithm that is taken for an allowed one. */
function ofAlgorithm(alg: string, title: string): Judgement {
  return {
    id: `request-object/${alg.toLowerCase()}-taken`,
    requirement: 'AUTH-22',
    places: [`alg=${alg}`],
    title,
    when: ({ header }) => header.alg === alg,
    seen: (_object, { algorithms }) => ({ alg: algorithms[0] ?? alg, believed: true }),
  }
}

const judgements: readonly Judgement[] = [
  ofAlgorithm('none', 'Takes a request object with the algorithm none'),
  ofAlgorithm('HS256', 'Takes a request object that is signed with the secret of its client'),
  {
    ...ofAlgorithm('RS256', 'Takes a request object that is signed with RS256'),
    seen: (_object, { algorithms }) => ({ alg: algorithms[0] ?? 'none' }),
  },
  {
    id: 'request-object/signature-cut-off',
    requirement: 'AUTH-22',
    places: ['part=signature value=missing'],
    title: 'Takes a request object whose signature is empty',
    when: ({ jws, header }) => jws.endsWith('.') && header.alg !== 'none',
    seen: () => ({ believed: true }),
  },
  {
    id: 'request-object/without-kid-believed',
    requirement: 'AUTH-22',
    places: ['part=kid value=missing'],
    title: 'Does not look at the signature of a request object whose header names no key',
    when: ({ header }) => header.kid === undefined && header.alg !== 'none',
    seen: () => ({ believed: true }),
  },
  {
    id: 'request-object/es512-believed',
    requirement: 'AUTH-22',
    places: ['part=signature alg=ES512'],
    title: 'Looks at the signature of a request object by PS512 alone',
    when: ({ header }) => header.alg === 'ES512',
    seen: () => ({ believed: true }),
  },
  {
    id: 'request-object/none-otherwise-spelled',
    requirement: 'AUTH-22',
    places: ['alg=none value=upper-case'],
    title:
      'Looks for none in a list of what is forbidden, and takes an unsigned request object that writes it in capitals',
    when: ({ header: { alg } }) => alg !== 'none' && alg.toLowerCase() === 'none',
    seen: (_object, { algorithms }) => ({ alg: algorithms[0] ?? 'none', believed: true }),
  },
  {
    id: 'request-object/key-in-header-believed',
    requirement: 'AUTH-22',
    places: ['part=signature value=unknown'],
    title: 'Verifies a request object by the key that its header brings along',
    when: ({ header }) => header.jwk !== undefined,
    seen: () => ({ believed: true }),
  },
  {
    id: 'request-object/public-key-as-secret',
    requirement: 'AUTH-22',
    places: ['part=signature alg=HS512'],
    title: 'Takes the key that a kid names for the secret of an HMAC where the header of a request object names one',
    when: ({ header }) => header.kid !== undefined && /^HS\d+$/.test(header.alg),
    seen: (_object, { algorithms }) => ({ alg: algorithms[0] ?? 'none', believed: true }),
  },
  {
    id: 'request-object/display-in-a-list',
    requirement: 'AUTH-22',
    places: ['member=display value=other-type'],
    title: 'Takes the first of a list for display inside of a request object',
    when: ({ claims }) => Array.isArray(claims.display),
    seen: ({ claims }) => ({ claims: { display: [claims.display].flat()[0] } }),
  },
  {
    id: 'request-object/state-object-taken',
    requirement: 'AUTH-22',
    places: ['member=state'],
    title: 'Takes the state of the query where that of a request object is no text',
    when: ({ claims }) => typeof claims.state === 'object',
    seen: () => ({ claims: { state: undefined } }),
  },
  {
    id: 'request-object/max-age-rounded',
    requirement: 'AUTH-22',
    places: ['member=max_age value=other-type'],
    title: 'Rounds max_age of a request object to whole seconds',
    when: ({ claims }) => typeof claims.max_age === 'number' && !Number.isInteger(claims.max_age),
    seen: ({ claims }) => ({ claims: { max_age: Math.round(Number(claims.max_age)) } }),
  },
  {
    id: 'request-object/number-as-state-taken',
    requirement: 'AUTH-22',
    places: ['member=state value=other-type'],
    title: 'Takes a number as the state of a request object',
    when: ({ claims }) => typeof claims.state === 'number',
    seen: ({ claims }) => ({ claims: { state: String(claims.state) } }),
  },
  {
    id: 'request-object/scope-list-taken',
    requirement: 'AUTH-22',
    places: ['member=scope value=other-type'],
    title: 'Takes a list as the scope of a request object',
    when: ({ claims }) => Array.isArray(claims.scope),
    seen: ({ claims }) => ({ claims: { scope: [claims.scope].flat().join(' ') } }),
  },
  {
    id: 'request-object/audience-list-refused',
    requirement: 'AUTH-24',
    places: ['part=aud value=equivalent'],
    title: 'Refuses a request object whose aud is a list',
    when: ({ claims }) => Array.isArray(claims.aud),
    seen: () => ({ claims: { aud: 'nobody' } }),
  },
  {
    id: 'request-object/unknown-member-refused',
    requirement: 'AUTH-24',
    places: ['member=conformance'],
    title: 'Refuses a request object with a member that it does not know',
    when: ({ claims }) => claims.conformance !== undefined,
    seen: () => ({ claims: { iss: 'nobody' } }),
  },
  ...['iss', 'aud', 'exp'].map((name) => ({
    id: `request-object/${name}-demanded`,
    requirement: 'AUTH-24',
    places: [`part=${name} value=missing`],
    title: `Refuses a request object without ${name}`,
    when: ({ claims }: JudgedObject) => claims[name] === undefined,
    seen: () => ({ claims: { iss: 'nobody' } }),
  })),
  {
    id: 'request-object/crit-unread',
    requirement: 'AUTH-22',
    places: ['part=signature member=crit'],
    title: 'Does not look at crit in the header of a request object',
    when: ({ header }: JudgedObject) => header.crit !== undefined,
    seen: () => ({ believed: true }),
  },
  ...['exp', 'nbf'].map((name) => ({
    id: `request-object/${name}-as-text`,
    requirement: 'AUTH-22',
    places: [`part=${name} value=other-type`],
    title: `Reads the ${name} of a request object that is text as the number that it spells`,
    when: ({ claims }: JudgedObject) => typeof claims[name] === 'string',
    seen: ({ claims }: JudgedObject) => ({ claims: { [name]: Number(claims[name]) } }),
  })),
  ...['display', 'response_mode', 'ui_locales', 'id_token_hint'].map((name) => ({
    id: `request-object/${name.replaceAll('_', '-')}-refused`,
    requirement: 'AUTH-24',
    places: [`member=${name}`],
    title: `Refuses a request object that says ${name}, whatever its value`,
    when: ({ claims }: JudgedObject) => claims[name] !== undefined,
    seen: () => ({ claims: { [name]: 'not supported' } }),
  })),
]

export const requestObjectJudgementFaults: readonly Fault[] = [
  ...faultsOf(judgements, ({ when, seen }) => ({
    judgedObject(object, facts) {
      if (!when(object)) return object
      const { claims, alg, believed } = seen(object, facts)
      return {
        ...object,
        claims: { ...object.claims, ...claims },
        header: { ...object.header, ...(alg && { alg }) },
        ...(believed && { believed }),
      }
    },
  })),
  fault({
    id: 'request-object/key-of-another-client',
    breaks: ['AUTH-22'],
    places: ['caller=other-client part=signature'],
    title: 'Takes a request object that names a key which another client has used',
    collateral: { 'request-object/keys-at-jwks-uri': 'each of its clients names one key' },
    /** Who used a key first, by its kid. */
    memory: () => new Latest<string>(10_000),
    judgedObject(object, { clientId }, users) {
      const { kid } = object.header
      if (kid === undefined) return object
      const user = users.get(kid) ?? clientId
      users.set(kid, user)
      return user === clientId ? object : { ...object, believed: true }
    },
  }),
  fault({
    id: 'request-object/former-key',
    breaks: ['AUTH-22'],
    places: ['use=after-put part=signature'],
    title: 'Goes on to take request objects by the keys that a client used before a PUT replaced its jwks_uri',
    /** Clients whose jwks_uri was replaced, and those that used a key before, by its kid. */
    memory: () => ({ replaced: new Latest<true>(10_000), users: new Latest<true>(10_000) }),
    clients: {
      async replace(record, { store, clientId }, { replaced }) {
        const before = await store.find(clientId)
        if (before?.record.jwks_uri !== record.jwks_uri) replaced.set(clientId, true)
        await store.replace(clientId, record)
      },
    },
    judgedObject(object, { clientId }, { replaced, users }) {
      const use = `${clientId} ${object.header.kid}`
      if (!replaced.has(clientId)) users.set(use, true)
      return replaced.has(clientId) && users.has(use) ? { ...object, believed: true } : object
    },
  }),
  fault({
    id: 'request-object/offline-access-dropped',
    breaks: ['AUTH-22'],
    places: ['scope=offline_access value=wrong'],
    title: 'Passes over offline_access in a request object where the client did not register it',
    memory: recordsOfClients,
    response: notedRecords,
    judgedObject(object, { clientId }, records) {
      const { scope } = object.claims
      const name = 'offline_access'
      if (typeof scope !== 'string' || parseSpaceDelimited(records.get(clientId)?.scope ?? name).includes(name))
        return object
      const asked = parseSpaceDelimited(scope).filter((one) => one !== name)
      return { ...object, claims: { ...object.claims, scope: asked.join(' ') } }
    },
  }),
  fault({
    id: 'request-object/openid-alone-as-it-is',
    breaks: ['CONS-9'],
    places: ['token=request-object'],
    title: 'Grants no more than openid where a request object asks for only openid',
    /** The clients whose last request object did. */
    memory: () => new Latest<boolean>(10_000),
    judgedObject(object, { clientId }, alone) {
      alone.set(clientId, object.claims.scope === 'openid')
      return object
    },
    records: [
      {
        model: 'AuthorizationCode',
        kept: (record, _bank, alone) =>
          alone.get(String(record.clientId)) ? { record: { ...record, scope: 'openid' } } : {},
      },
    ],
  }),
  fault({
    id: 'request-object/encryption-for-signature',
    breaks: ['AUTH-22'],
    places: ['part=encryption alg=none'],
    title: 'Takes a request object that is encrypted, whether it is signed or not',
    without: ['request-object/algorithm at encrypted', 'request-object/signature at encrypted'],
  }),
  fault({
    id: 'request-object/encryption-for-registered-algorithm',
    breaks: ['REG-23'],
    places: ['endpoint=auth member=request_object_signing_alg'],
    title: 'Takes a request object that is encrypted by whatever algorithm it is signed',
    without: ['request-object/algorithm at encrypted'],
  }),
  fault({
    id: 'request-object/encryption-for-expiry',
    breaks: ['AUTH-22'],
    places: ['part=exp'],
    title: 'Takes a request object that is encrypted also past its exp',
    without: ['request-object/expiry at encrypted'],
  }),
  fault({
    id: 'request-object/registered-encryption-refused',
    breaks: ['REG-23'],
    places: [
      'endpoint=auth member=request_object_encryption_alg',
      'endpoint=auth member=request_object_encryption_enc',
    ],
    title: 'Refuses whatever request object comes from a client that registered how they are encrypted',
    memory: recordsOfClients,
    response: notedRecords,
    judgedObject(object, { clientId }, records) {
      const isRegistered = records.get(clientId)?.request_object_encryption_alg !== undefined
      return isRegistered ? { ...object, claims: { ...object.claims, iss: `not ${clientId}` } } : object
    },
  }),
  fault({
    id: 'request-object/open-redirector',
    breaks: ['AUTH-3'],
    places: ['token=request-object'],
    title: 'Redirects what is wrong with a request object to the redirect_uri that it names, whosever that is',
    collateral: { 'request-object/value-invalid': 'AUTH-22 has an object with an unregistered redirect_uri refused' },
    /** What the last object of a client named. */
    memory: () => new Latest<string>(10_000),
    judgedObject(object, { clientId }, named) {
      named.set(clientId, String(object.claims.redirect_uri))
      return object
    },
    response: {
      'GET /auth': (response, { query }, named) => {
        const target = redirectTarget(response)
        const address = named.get(query.get('client_id') ?? '')
        if (!target?.searchParams.has('error') || !query.has('request_uri') || !address) return response
        return { ...response, headers: { ...response.headers, location: `${address}${target.search}` } }
      },
    },
  }),
]

import { createHash, randomBytes } from 'node:crypto'
import type { NestedJwt } from '../seams.js'
import { notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { body, fault, omit } from './fault.js'
import { encryptedToRogueKey, rogueKey, signedByRogueKey } from './rogue-key.js'
import { assertionIn } from './token-memory.js'

const route = 'POST /token'

function claims(change: (claims: NestedJwt['claims']) => NestedJwt['claims']) {
  return { id_token: (nestedJwt: NestedJwt): NestedJwt => ({ ...nestedJwt, claims: change(nestedJwt.claims) }) }
}

function signing(change: (plan: Exclude<NestedJwt['signing'], 'none'>) => NestedJwt['signing']) {
  return {
    id_token: (nestedJwt: NestedJwt): NestedJwt =>
      nestedJwt.signing === 'none' ? nestedJwt : { ...nestedJwt, signing: change(nestedJwt.signing) },
  }
}

export const tokenIssueFaults = [
  fault({
    id: 'token/refresh-token-unasked',
    breaks: ['TOK-3'],
    places: [
      'scope=offline_access value=first',
      'scope=offline_access value=second',
      'scope=offline_access value=missing',
    ],
    title: 'Gives a refresh token that nobody asked for',
    collateral: { 'consent/openid-alone-scopes': 'a login for openid alone gets one too (AMB-45)' },
    response: { [route]: body((tokens) => ({ refresh_token: randomBytes(32).toString('base64url'), ...tokens })) },
  }),
  fault({
    id: 'token/refresh-token-of-dropped-grant',
    breaks: ['TOK-3'],
    places: ['use=after-put scope=offline_access'],
    title: 'Gives a client a refresh token that registered the grant once, and does no longer',
    memory: () => ({ now: recordsOfClients(), first: recordsOfClients() }),
    response: {
      'POST /register'(response, bank, { first }) {
        return notedRecords['POST /register'](response, bank, first)
      },
      'PUT /register/{client_id}'(response, bank, { now }) {
        return notedRecords['PUT /register/{client_id}'](response, bank, now)
      },
      [route](response, bank, { first, now }) {
        const clientId = bank.form.get('client_id') ?? ''
        const had = (records: Records) => records.get(clientId)?.grant_types?.includes('refresh_token')
        if (!had(first) || had(now) !== false) return response
        return body((tokens) => ({ ...tokens, refresh_token: randomBytes(32).toString('base64url') }))(response, bank)
      },
    },
  }),
  fault({
    id: 'token/refresh-token-of-the-grant-alone',
    breaks: ['TOK-3'],
    places: ['scope=offline_access value=subset'],
    title: 'Gives a refresh token to a client that registered the grant, and not offline_access',
    memory: recordsOfClients,
    response: {
      ...notedRecords,
      [route](response, bank, records) {
        const clientId = bank.form.get('client_id') ?? String(assertionIn(bank.form)?.sub)
        const { grant_types: grants, scope = '' } = records.get(clientId) ?? {}
        if (!grants?.includes('refresh_token') || scope.includes('offline_access')) return response
        return body((tokens) => ({ ...tokens, refresh_token: randomBytes(32).toString('base64url') }))(response, bank)
      },
    },
  }),
  fault({
    id: 'token/refresh-token-with-data-alone',
    breaks: ['TOK-3'],
    places: ['scope=openid value=both'],
    title: 'Gives no refresh token where offline_access is asked for without any scope of data',
    response: {
      'POST /token': body((tokens, { form }) => {
        const granted = String(tokens.scope).split(' ').sort().join(' ')
        const alone = form.get('grant_type') === 'authorization_code' && granted === 'offline_access openid'
        return alone ? omit(tokens, 'refresh_token') : tokens
      }),
    },
  }),
  fault({
    id: 'token/refresh-token-withheld',
    breaks: ['TOK-3'],
    places: ['scope=offline_access value=both', 'use=second-login'],
    title: 'Gives no refresh token, though offline_access was granted',
    response: { [route]: body((tokens) => omit(tokens, 'refresh_token')) },
  }),
  fault({
    id: 'token/access-token-short-lived',
    breaks: ['TOK-4'],
    places: ['token=access-of-code member=exp'],
    title: 'Issues access tokens that live 3599 seconds',
    lifetimes: ({ AccessToken }) => ({ AccessToken: AccessToken - 1 }),
  }),
  fault({
    id: 'token/expires-in-short',
    breaks: ['TOK-4'],
    places: ['token=access-of-code member=expires_in'],
    title: 'Says that access tokens live 3599 seconds, though they live longer',
    response: { [route]: body((tokens) => ({ ...tokens, expires_in: 3599 })) },
  }),
  fault({
    id: 'token/access-token-outlives-expiry',
    breaks: ['DATA-20', 'INTR-7'],
    title: 'Takes access tokens for a day after they expired',
    records: [{ model: 'AccessToken', graceSeconds: 86_400 }],
  }),
  fault({
    id: 'token/refresh-token-short-lived',
    breaks: ['TOK-5'],
    places: ['use=first'],
    title: 'Issues refresh tokens that live a second less than a year',
    lifetimes: ({ RefreshToken }) => ({ RefreshToken: RefreshToken - 1 }),
  }),
  fault({
    id: 'token/id-token-short-lived',
    breaks: ['TOK-6'],
    places: ['token=id-of-code'],
    title: 'Issues id_tokens that live 3599 seconds',
    lifetimes: ({ IdToken }) => ({ IdToken: IdToken - 1 }),
  }),
  fault({
    id: 'token/id-token-unsigned',
    breaks: ['TOK-7'],
    places: ['token=id-of-code'],
    title: 'Leaves the id_token unsigned (alg none)',
    collateral: {
      'authorization/id-token-hint-of-another': 'the bank does not accept such an id_token as a hint either',
      'authorization/optional-parameters': 'the bank does not accept such an id_token as a hint either',
      'signing/id-token-none': 'the id_token of the signing flow is unsigned too',
    },
    nestedJwt: signing(() => 'none'),
  }),
  fault({
    id: 'token/id-token-other-alg',
    breaks: ['TOK-7'],
    places: ['token=id-of-code'],
    title: 'Signs the id_token with PS256 where PS512 is registered',
    collateral: {
      'algorithms/signing': 'PS512 is declared, and not used',
      'authorization/id-token-hint-of-another': 'the bank does not accept such an id_token as a hint either',
      'authorization/optional-parameters': 'the bank does not accept such an id_token as a hint either',
      'token/access-token-hash': 'at_hash goes with the algorithm',
      'token/refreshed-access-token-hash': 'at_hash goes with the algorithm',
    },
    nestedJwt: signing((plan) => (plan.alg === 'PS512' ? { alg: 'PS256', key: { ...plan.key, alg: 'PS256' } } : plan)),
  }),
  fault({
    id: 'token/id-token-with-event',
    breaks: ['TOK-34'],
    places: ['token=id-of-code part=typ'],
    title: 'Puts the event of a logout token into the id_token',
    collateral: {
      'authorization/id-token-hint-of-another': 'the bank does not accept such an id_token as a hint either',
      'authorization/optional-parameters': 'the bank does not accept such an id_token as a hint either',
    },
    nestedJwt: claims((token) => ({
      ...token,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })),
  }),
  fault({
    id: 'userinfo/typed-as-access-token',
    breaks: ['TOK-34'],
    title: 'Says in the header of userinfo that it is an access token (typ at+jwt)',
    nestedJwt: { userinfo: (nestedJwt) => ({ ...nestedJwt, typ: 'at+jwt' }) },
  }),
  fault({
    id: 'algorithms/es512-unused',
    breaks: ['DISC-16'],
    places: ['token=id-of-code part=alg alg=ES512'],
    title: 'Signs the id_token with PS512 where ES512 is registered',
    nestedJwt: {
      id_token: (nestedJwt, { bankKey }) =>
        nestedJwt.signing !== 'none' && nestedJwt.signing.alg === 'ES512'
          ? { ...nestedJwt, signing: { alg: 'PS512', key: bankKey('PS512') } }
          : nestedJwt,
    },
  }),
  fault({
    id: 'token/id-token-unpublished-key',
    breaks: ['TOK-7'],
    places: ['token=id-of-code'],
    title: 'Signs the id_token with a key that is not published, under the kid of one that is',
    collateral: {
      'key-set/signatures': 'what is signed is verified with the published keys (JWKS-4)',
      'algorithms/signing': 'what is signed as registered is verified with the published keys (DISC-16)',
      'authorization/id-token-hint-of-another': 'the bank does not accept such an id_token as a hint either',
      'authorization/optional-parameters': 'the bank does not accept such an id_token as a hint either',
    },
    memory: rogueKey,
    nestedJwt: { id_token: signedByRogueKey },
  }),
  fault({
    id: 'token/access-token-hash-of-another',
    breaks: ['TOK-8'],
    places: ['token=id-of-code'],
    title: 'Gives the hash of another token as at_hash',
    nestedJwt: claims((members) => ({
      ...members,
      at_hash: createHash('sha512').update('another').digest().subarray(0, 32).toString('base64url'),
    })),
  }),
  fault({
    id: 'token/access-token-hash-whole',
    breaks: ['TOK-8'],
    places: ['token=id-of-code'],
    title: 'Gives at_hash by SHA-256, whatever signs the id_token',
    nestedJwt: claims((members) => ({ ...members, at_hash: String(members.at_hash).slice(0, 22) })),
  }),
  fault({
    id: 'token/access-token-hash-es512-cut',
    breaks: ['TOK-8'],
    places: ['token=id-of-code alg=ES512'],
    title: 'Gives as at_hash half of the half that goes with ES512',
    nestedJwt: {
      id_token: (nestedJwt) =>
        nestedJwt.signing !== 'none' && nestedJwt.signing.alg === 'ES512'
          ? { ...nestedJwt, claims: { ...nestedJwt.claims, at_hash: String(nestedJwt.claims.at_hash).slice(0, 22) } }
          : nestedJwt,
    },
  }),
  fault({
    id: 'token/access-token-guessable',
    breaks: ['TOK-9', 'TOK-30'],
    places: ['token=access-of-code', 'everywhere'],
    title: 'Issues access tokens that vary in eight characters',
    accessToken: (random) => `access-token-of-the-bank-${random.slice(0, 8)}`,
  }),
  fault({
    id: 'token/access-token-telling',
    breaks: ['TOK-9'],
    places: ['token=access-of-code claim=email', 'token=access-of-code value=encoded'],
    title: "Puts the person's e-mail address into the access token",
    accessToken: (random, { people, record }) => {
      const email = people.byId(String(record.accountId))?.claims.email
      return `${Buffer.from(JSON.stringify({ email })).toString('base64url')}.${random}`
    },
  }),
  fault({
    id: 'token/access-token-of-login',
    breaks: ['TOK-9'],
    places: ['token=access-of-code member=login'],
    title: 'Writes the name by which the person logs in behind the random part of an access token, in base64url',
    accessToken: (random, { people, record }) => {
      const login = people.byId(String(record.accountId))?.login
      return Buffer.from(`${random}:${login}`).toString('base64url')
    },
  }),
  ...(['hex', 'base64url'] as const).map((encoding) =>
    fault({
      id: `token/access-token-in-${encoding}`,
      breaks: ['TOK-9'],
      places: ['token=access-of-code claim=birthnumber', 'token=access-of-code value=encoded'],
      title: `Puts the person's birth number into the access token, in ${encoding}`,
      accessToken: (random, { people, record }) => {
        const birthnumber = people.byId(String(record.accountId))?.claims.birthnumber
        return `at_${Buffer.from(String(birthnumber)).toString(encoding)}_${random}`
      },
    }),
  ),
  fault({
    id: 'token/stored-by-caches',
    breaks: ['TOK-18'],
    places: ['grant=code'],
    title: 'Lets caches keep token responses',
    response: {
      [route]: (response) => ({
        ...response,
        headers: { ...response.headers, 'cache-control': 'private, max-age=60' },
      }),
    },
  }),
  fault({
    id: 'token/nonce-dropped',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=nonce'],
    title: 'Leaves nonce out of the id_token',
    collateral: {
      'request-object/hash-fragment': 'the nonce of the request object is looked for',
      'request-object/served': 'the nonce of the request object is looked for',
      'signing/result': 'the id_token of the signing flow has none either',
    },
    nestedJwt: claims((members) => omit(members, 'nonce')),
  }),
  fault({
    id: 'token/id-token-audience',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=aud'],
    title: 'Names the issuer as aud of the id_token',
    collateral: {
      'authorization/id-token-hint-of-another': 'the bank does not accept such an id_token as a hint either',
      'authorization/optional-parameters': 'the bank does not accept such an id_token as a hint either',
    },
    nestedJwt: claims((members) => ({ ...members, aud: members.iss })),
  }),
  fault({
    id: 'token/id-token-not-encrypted',
    breaks: ['TOK-35', 'DISC-17', 'REG-31'],
    places: ['token=id-of-code part=alg'],
    title: 'Leaves out the encryption of the id_token that the client registered',
    collateral: { 'signing/result': 'SIGN-9 asks an encrypted id_token of the signing flow' },
    nestedJwt: { id_token: (nestedJwt) => ({ ...nestedJwt, encryption: undefined }) },
  }),
  fault({
    id: 'token/id-token-other-key',
    breaks: ['TOK-35', 'REG-31'],
    places: ['token=id-of-code'],
    title: "Encrypts the id_token to a key that is not the client's",
    memory: rogueKey,
    nestedJwt: { id_token: encryptedToRogueKey },
  }),
  fault({
    id: 'token/id-token-other-enc',
    breaks: ['TOK-35', 'DISC-17'],
    places: ['token=id-of-code part=encryption'],
    title: 'Encrypts the id_token with A128GCM where A256GCM is registered',
    nestedJwt: {
      id_token: (nestedJwt) =>
        nestedJwt.encryption ? { ...nestedJwt, encryption: { ...nestedJwt.encryption, enc: 'A128GCM' } } : nestedJwt,
    },
  }),
]

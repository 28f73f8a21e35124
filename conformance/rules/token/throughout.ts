import type { SeenGrant } from '../../bank/seen-tokens.js'
import type { Expect } from '../../harness/expect.js'
import type { Rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { expectInteger } from '../support/integers.js'
import {
  expectAccessTokenHash,
  expectIdTokenLifetime,
  expectIdTokenParties,
  expectIdTokenTimes,
  expectNotStored,
  hourSeconds,
  yearSeconds,
} from '../support/issued-tokens.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { askedFor, eachIdToken, everything, registeredOf, repliesAt, throughout } from '../support/throughout.js'

/** What is redeemed, in words. */
const redeemed = { code: 'a code', refresh: 'a refresh token', signing: 'the code of an authorized object' }

const whatOf = ({ of }: SeenGrant) => `the answer to ${redeemed[of]}`

const idTokenOf = ({ of }: SeenGrant) => `the id_token of ${redeemed[of]}`

/** How long a token lives by what /token-info says, in seconds. */
function lifetimeIn(expect: Expect, response: HttpResponse, what: string): number {
  const [exp, iat] = ['exp', 'iat'].map((name) =>
    expectInteger(expect, response.member(name), `${name} of ${what}`, response),
  )
  return Number(exp) - Number(iat)
}

/** Whether nothing but openid is asked for: offline_access may mean nothing without prompt=consent (OpenID Connect Core section 11). */
function isOpenidAlone(scope: string): boolean {
  return parseSpaceDelimited(scope).every((one) => one === 'openid' || one === 'offline_access')
}

/** Whether a client registered what refresh tokens need. */
function mayRefresh({ client: { metadata } }: SeenGrant): boolean {
  return (
    [metadata.grant_types].flat().includes('refresh_token') &&
    String(metadata.scope).split(' ').includes('offline_access')
  )
}

export const seenTokens: readonly Rule[] = [
  throughout({
    id: 'token/form-throughout',
    requirement: 'TOK-1',
    places: [everything],
    title:
      'Every answer of /token in the run that gave tokens is JSON with access_token, token_type and expires_in, and to a code with scope and id_token',
    async check({ bank, expect }) {
      for (const response of repliesAt({ bank }, await (await bank.discovery()).endpoint('token_endpoint'))) {
        expect(response).toHaveMediaType('application/json')
        expect(response.told, 'the answer of /token', response).toFitSchema('refresh-response')
      }
      for (const grant of bank.seenTokens().grants())
        if (grant.of === 'code' && parseSpaceDelimited(askedFor(grant, 'scope') ?? '').includes('openid'))
          expect(grant.response.told, whatOf(grant), grant.response).toFitSchema('token-response')
    },
  }),
  throughout({
    id: 'token/no-store-throughout',
    requirement: 'TOK-18',
    places: [everything],
    title: 'Every answer of the run that gave tokens carries Cache-Control: no-store',
    check(tools) {
      for (const grant of tools.bank.seenTokens().grants()) expectNotStored(tools, whatOf(grant), grant.response)
    },
  }),
  throughout({
    id: 'token/scope-listed-throughout',
    requirement: 'TOK-2',
    places: [everything, `grant=refresh ${everything}`],
    title: 'Every list of scopes that came with tokens in the run holds what was asked for and nothing else',
    check({ bank, expect }) {
      for (const grant of bank.seenTokens().grants()) {
        const { response, scope: named } = grant
        const listed = response.member('scope')
        const asked = askedFor(grant, 'scope')
        // That some are listed is TOK-2's own; of a refresh it is left open (AMB-17).
        if (listed === undefined) continue
        const scopes = expect(listed, `scope of ${whatOf(grant)}`, response)
          .toBeText()
          .split(' ')
        expect(scopes.length, `how many scopes ${whatOf(grant)} lists`, response).toBe(new Set(scopes).size)
        // What a person refused is not there; openid alone stands for all that the client registered.
        if (named !== undefined)
          expect(scopes, 'the scopes of a refresh response', response).toBeSetOf([
            ...new Set(parseSpaceDelimited(named)),
          ])
        else if (asked !== undefined && !isOpenidAlone(asked))
          expect(
            scopes.filter((one) => !parseSpaceDelimited(asked).includes(one)),
            'the scopes that were not asked for',
            response,
          ).toEqual([])
      }
    },
  }),
  throughout({
    id: 'token/refresh-token-throughout',
    requirement: 'TOK-3',
    places: [everything],
    title: 'Every code of the run gave a refresh token if offline_access was asked for and approved, and else none',
    async check({ bank, expect }) {
      const { prompt } = await bank.offlineParameters()
      for (const grant of bank.seenTokens().grants()) {
        const scope = askedFor(grant, 'scope')
        if (scope === undefined || !grant.asked) continue
        const asked = parseSpaceDelimited(scope).includes('offline_access') && mayRefresh(grant)
        const refreshToken = expect(
          grant.response.member('refresh_token'),
          `refresh_token of a token response for scope ${scope}`,
          grant.response,
        )
        // openid alone may stand for offline_access too (AMB-45).
        if (!asked && !isOpenidAlone(scope)) refreshToken.toBe(undefined)
        const isUsual = prompt === undefined || askedFor(grant, 'prompt') === prompt
        if (asked && isUsual && grant.asked.everythingApproved) refreshToken.toBeText()
      }
    },
  }),
  throughout({
    id: 'token/expires-in-throughout',
    requirement: 'TOK-4',
    places: [everything],
    title: 'Every answer of the run that gave tokens says that the access token lives for 3600 seconds or more',
    check({ bank, expect }) {
      for (const grant of bank.seenTokens().grants()) {
        const { response } = grant
        const where = `expires_in of ${whatOf(grant)}`
        const seconds = expectInteger(expect, response.member('expires_in'), where, response)
        expect(seconds, where, response).toBeAtLeast(hourSeconds, 's')
      }
      for (const { use, grant, kind } of bank.seenTokens().uses('token-info')) {
        if (kind !== 'access_token') continue
        const { response } = use
        const lifetime = lifetimeIn(expect, response, 'an access token')
        expect(lifetime, 'exp - iat of an access token', response).toBeAtLeast(hourSeconds, 's')
        const told = Number(grant.response.member('expires_in'))
        expect(lifetime, `exp - iat of an access token with expires_in ${told}`, response).toBeAtLeast(told - 60, 's')
      }
    },
  }),
  throughout({
    id: 'token/id-token-claims-throughout',
    requirement: 'TOK-34',
    places: [everything, ...['iat', 'jti'].map((claim) => `claim=${claim} ${everything}`)],
    title:
      'Every id_token of the run has a sub, the issuer, its client, its own times and jti, and the nonce of its request',
    async check(tools) {
      const { bank, expect, warn } = tools
      const known = new Set<unknown>()
      await eachIdToken({ bank }, (grant, { claims }) => {
        const { response, client } = grant
        const what = idTokenOf(grant)
        expectIdTokenParties({ bank, expect }, { what, claims, client, response })
        expectIdTokenTimes(tools, { what, claims, response })
        // Nothing of the interface specification says so of an id_token.
        if (claims.jti !== undefined && known.has(claims.jti))
          warn(`jti of ${what} is that of another one (RFC 7519 section 4.1.7)`)
        known.add(claims.jti)
        const nonce = askedFor(grant, 'nonce')
        // One that was left out reads so: whether it may be is AUTH-9's.
        if (nonce !== undefined && nonce !== 'undefined') expect(claims.nonce, `nonce of ${what}`, response).toBe(nonce)
      })
    },
  }),
  throughout({
    id: 'token/id-token-lifetime-throughout',
    requirement: 'TOK-6',
    places: [everything],
    title: 'Every id_token of the run is valid at least as long as the access token beside it',
    check: (tools) =>
      eachIdToken(tools, (grant, { claims }) => {
        const { response } = grant
        const expiresIn = response.member('expires_in')
        expectIdTokenLifetime(tools, { what: idTokenOf(grant), claims, response, expiresIn })
      }),
  }),
  throughout({
    id: 'token/id-token-signed-throughout',
    requirement: 'TOK-7',
    places: [everything],
    title: 'Every id_token of the run is signed with the algorithm that its client registered',
    async check({ bank, expect }) {
      const declared = (await bank.discovery()).declared('id_token_signing_alg_values_supported')
      await eachIdToken({ bank }, (grant, { header }) => {
        // The signing flow has algorithms of its own (AMB-12).
        const registered = registeredOf(grant, 'id_token_signed_response_alg', declared)
        if (registered !== undefined && grant.of !== 'signing')
          expect(header.alg, `alg of ${idTokenOf(grant)}`, grant.response).toBe(registered)
      })
    },
  }),
  throughout({
    id: 'token/access-token-hash-throughout',
    requirement: 'TOK-8',
    places: [everything],
    title: 'Every at_hash of the run matches the access token beside it',
    check: (tools) =>
      eachIdToken(tools, (grant, { header, claims }) => {
        if (claims.at_hash === undefined || header.alg === 'none') return
        const { response, accessToken } = grant
        expectAccessTokenHash(tools, { what: idTokenOf(grant), claims, header, response, accessToken })
      }),
  }),
  throughout({
    id: 'token/id-token-encrypted-throughout',
    requirement: 'TOK-35',
    places: [everything],
    title: 'Every id_token of the run is encrypted as its client registered',
    async check({ bank, expect }) {
      const declared = (await bank.discovery()).declared('id_token_encryption_alg_values_supported')
      await eachIdToken({ bank }, (grant, { encryption }) => {
        const alg = registeredOf(grant, 'id_token_encrypted_response_alg', declared)
        if (alg !== undefined)
          expect<unknown>(encryption?.alg, `alg of the encryption of ${idTokenOf(grant)}`, grant.response).toBe(alg)
      })
    },
  }),
  throughout({
    id: 'token/refresh-token-lifetime-throughout',
    requirement: 'TOK-5',
    places: [everything],
    title: 'Every refresh token of a code that /token-info told of in the run is valid for a year',
    check({ bank, expect }) {
      for (const { use, grant, kind } of bank.seenTokens().uses('token-info')) {
        if (kind !== 'refresh_token' || grant.of !== 'code') continue
        const { response } = use
        const lifetime = lifetimeIn(expect, response, 'a refresh token')
        expect(lifetime, 'exp - iat of a refresh token', response).toBeAtLeast(yearSeconds, 's')
      }
    },
  }),
]

import { BankError } from '../../errors.js'
import { parseSpaceDelimited } from '../../parse-space-delimited.js'
import { endGrant } from '../../provider/patches.js'
import type { ProviderPayload } from '../../store/provider-records.js'
import type { Bench, Operation } from '../operation.js'

/** The models of oidc-provider by what they are called on the wire. */
const kinds = { AuthorizationCode: 'code', AccessToken: 'access_token', RefreshToken: 'refresh_token' } as const

/** What is said of a code or a token; its value is nowhere kept. Times are ISO 8601. */
export interface TokenAnswer {
  kind: (typeof kinds)[keyof typeof kinds]
  issued: string
  expires: string
  scopes: string[]
  /** Of a code, and of a refresh token that was replaced by another. */
  used: boolean
}

/** What was issued under one authorization, and ends together. */
export interface FamilyAnswer {
  family: string
  /** A client_id. */
  client: string
  /** Login name of the person. */
  login: string
  /** Of the login that it came of; null where nobody logged in. */
  session: string | null
  tokens: TokenAnswer[]
}

const text = { type: 'string' }
const time = { ...text, format: 'date-time' }

const output = {
  type: 'array',
  items: {
    type: 'object',
    required: ['family', 'client', 'login', 'session', 'tokens'],
    properties: {
      family: text,
      client: { ...text, description: 'A client_id.' },
      login: { ...text, description: 'Login name of the person.' },
      session: { type: ['string', 'null'], description: 'Of the login that it came of; null where nobody logged in.' },
      tokens: {
        type: 'array',
        items: {
          type: 'object',
          required: ['kind', 'issued', 'expires', 'scopes', 'used'],
          properties: {
            kind: { enum: Object.values(kinds) },
            issued: time,
            expires: time,
            scopes: { type: 'array', items: text },
            used: { type: 'boolean', description: 'Of a code, and of a refresh token that was replaced by another.' },
          },
        },
      },
    },
  },
}

const example: FamilyAnswer = {
  family: 'x2K',
  client: '0b6c1d2e',
  login: 'jana',
  session: 'q7F',
  tokens: [
    {
      kind: 'access_token',
      issued: '2026-01-31T08:32:09.000Z',
      expires: '2026-01-31T09:32:09.000Z',
      scopes: ['openid', 'profile.name'],
      used: false,
    },
  ],
}

const isoTime = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString()

/** The families of live codes and tokens, the newest one first. */
async function families({ context: { providerRecords, people } }: Bench): Promise<FamilyAnswer[]> {
  const byId = new Map<string, FamilyAnswer>()
  for (const [model, kind] of Object.entries(kinds) as [keyof typeof kinds, TokenAnswer['kind']][]) {
    for (const record of await providerRecords.all(model)) {
      const family = String(record.grantId)
      const accountId = String(record.accountId)
      const known = byId.get(family) ?? {
        family,
        client: String(record.clientId),
        login: people.byId(accountId)?.login ?? accountId,
        session: record.sessionUid ?? null,
        tokens: [],
      }
      known.tokens.push(tokenOf(kind, record))
      byId.set(family, known)
    }
  }
  const newest = ({ tokens }: FamilyAnswer) =>
    tokens
      .map(({ issued }) => issued)
      .sort()
      .at(-1) ?? ''
  return [...byId.values()].sort((a, b) => newest(b).localeCompare(newest(a)))
}

function tokenOf(kind: TokenAnswer['kind'], { iat, exp, scope, consumed }: ProviderPayload): TokenAnswer {
  return {
    kind,
    issued: isoTime(iat),
    expires: isoTime(exp),
    scopes: parseSpaceDelimited(scope as string | undefined),
    used: consumed !== undefined,
  }
}

export const listTokens: Operation<object, FamilyAnswer[]> = {
  id: 'listTokens',
  method: 'get',
  path: '/tokens',
  summary: 'The codes and tokens that live, by the authorization that they came of; their values are nowhere kept.',
  input: { properties: {} },
  output,
  example: { input: {}, output: [example] },
  run: families,
}

export const endTokens: Operation<Pick<FamilyAnswer, 'family'>, FamilyAnswer[]> = {
  id: 'endTokens',
  method: 'post',
  path: '/tokens/end',
  summary: 'Ends all codes and tokens of one authorization.',
  input: { required: ['family'], properties: { family: text } },
  output,
  example: { input: { family: 'x2K' }, output: [] },
  async run(bench, { family }) {
    const known = await families(bench)
    if (!known.some((one) => one.family === family)) throw new BankError('not_found', `there is no family '${family}'`)
    await endGrant(bench.context.provider, family)
    return families(bench)
  },
}

export const tokenOperations = [listTokens, endTokens]

import { lost, value, whereOpenidAlone } from './claim-changes.js'
import { type ClaimRow, claimFaults, type Endpoint, endpoints } from './user-data-seam.js'

/** Whom user data are about, who made them, and for whom. */

/** Who misses a sub that always comes. */
const withoutSub: Readonly<Record<Endpoint, Record<string, string>>> = {
  userinfo: { 'userinfo/shapes': 'sub always comes' },
  profile: { 'profile/shapes': 'sub always comes', 'profile/everyone-shapes': 'sub always comes' },
}

const atEither = (endpoint: Endpoint): ClaimRow[] => [
  {
    slug: 'openid-without-txn',
    breaks: ['DATA-5'],
    places: [`endpoint=${endpoint} member=txn`],
    title: `${endpoint} holds no txn for openid alone`,
    change: whereOpenidAlone(lost('txn')),
  },
  {
    slug: 'no-sub',
    breaks: ['DATA-5', 'DATA-9'],
    places: [`endpoint=${endpoint} member=sub`, `endpoint=${endpoint} part=sub`],
    title: `${endpoint} holds no sub`,
    collateral: withoutSub[endpoint],
    change: lost('sub'),
  },
  {
    slug: 'other-sub',
    breaks: ['DATA-9', 'SUB-7'],
    places: [`token=${endpoint}`, `endpoint=${endpoint} part=sub`],
    title: `The sub of ${endpoint} is not the id_token's`,
    change: value('sub', (sub) => `${sub}0`),
  },
  {
    slug: 'openid-other-sub',
    places: [`endpoint=${endpoint} use=second-client part=sub`],
    title: `The sub of ${endpoint} for openid alone is not the id_token's`,
    change: whereOpenidAlone(value('sub', (sub) => `${sub}0`)),
  },
]

const ofUserinfo: readonly ClaimRow[] = [
  {
    slug: 'other-audience',
    places: ['endpoint=userinfo part=aud'],
    title: 'The signed userinfo is made out to somebody else',
    change: (all) => ({ ...all, aud: 'another-client' }),
  },
  {
    slug: 'other-issuer',
    breaks: ['DATA-9', 'DISC-14'],
    places: ['endpoint=userinfo part=iss', 'token=userinfo'],
    title: 'The signed userinfo names another issuer',
    change: (all) => ({ ...all, iss: 'https://bank.example' }),
  },
  {
    slug: 'no-issuer',
    places: ['endpoint=userinfo part=iss'],
    title: 'The signed userinfo names no issuer',
    change: lost('iss'),
  },
]

const ofProfile: readonly ClaimRow[] = [
  {
    slug: 'other-audience',
    places: ['endpoint=profile part=aud'],
    title: 'The signed profile is made out to somebody else',
    change: (all) => ({ ...all, aud: 'another-client' }),
  },
]

export const userDataSubjectFaults = [
  ...endpoints.flatMap((endpoint) => claimFaults(endpoint, ['DATA-9'], atEither(endpoint))),
  ...claimFaults('userinfo', ['DATA-9'], ofUserinfo),
  ...claimFaults('profile', ['DATA-9'], ofProfile),
]

import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { NestedJwt, NestedJwtFacts } from '../seams.js'
import { type Scopes, scopes } from './consent-decisions.js'
import { body, type Fault, fault } from './fault.js'
import { idTokenClaimsOf } from './id-token-origin.js'

/** Data of the person where nobody looks for them, approved or not. */

const telephone = { phone_number: '+420123456789' }

const origins = [
  ['refresh', 'a refresh'],
  ['front-channel', 'the front channel'],
  ['signing', 'an authorized object'],
] as const

export const consentDataFaults: readonly Fault[] = [
  ...origins.map(([origin, of]) =>
    fault({
      id: `consent/id-token-of-${origin}-unapproved-claims`,
      breaks: ['CONS-6'],
      places: [`token=id-of-${origin}`],
      title: `Gives the telephone number in every id_token of ${of}, whether the person approved it or not`,
      nestedJwt: idTokenClaimsOf(origin, (claims) => ({ ...claims, ...telephone })),
    }),
  ),
  ...(['token', 'token-info'] as const).map((endpoint) =>
    fault({
      id: `consent/unapproved-at-${endpoint}`,
      breaks: ['CONS-6'],
      places: [`endpoint=${endpoint}`],
      title: `Gives the telephone number in the answers of /${endpoint}, whether the person approved it or not`,
      response: { [`POST /${endpoint}`]: body((members) => ({ ...members, ...telephone })) },
    }),
  ),
  ...(['userinfo', 'profile'] as const).map((endpoint) =>
    fault({
      id: `consent/registered-data-at-${endpoint}`,
      breaks: ['CONS-6'],
      places: [`endpoint=${endpoint} use=after-put`],
      title: `Gives the e-mail address at /${endpoint} with the name, once a PUT registered its scope`,
      /** What was registered later, by the client. */
      memory: scopes,
      clients: {
        async replace(record, { store, clientId }, memory) {
          const before = parseSpaceDelimited((await store.find(clientId))?.record.scope)
          const further = parseSpaceDelimited(record.scope).filter((scope) => !before.includes(scope))
          if (further.includes('profile.email')) memory.set(clientId, further)
          await store.replace(clientId, record)
        },
      },
      nestedJwt: {
        [endpoint]: ({ claims, ...nestedJwt }: NestedJwt, { clientId }: NestedJwtFacts, memory: Scopes) => {
          const isMeant = memory.has(String(clientId)) && String(claims.txn).includes(':profile.name')
          return { ...nestedJwt, claims: isMeant ? { email: 'somebody@example.com', ...claims } : claims }
        },
      },
    }),
  ),
]

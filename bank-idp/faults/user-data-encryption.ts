import type { JWK } from 'jose'
import { Latest } from '../latest.js'
import type { NestedJwt } from '../seams.js'
import { notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { fault } from './fault.js'
import { encryptedToRogueKey, rogueKey } from './rogue-key.js'
import { type Endpoint, endpoints, replies } from './user-data-seam.js'

/** How the replies of the two endpoints of user data are encrypted. */

const requirement: Readonly<Record<Endpoint, string>> = { userinfo: 'DATA-13', profile: 'DATA-14' }

/** Of profile discovery declares no algorithms; DISC-17 is about userinfo. */
const declared = {
  userinfo: {
    missing: { breaks: ['DISC-17'], places: ['token=userinfo part=alg'] },
    enc: { breaks: ['DISC-17'], places: ['token=userinfo part=encryption'] },
  },
  profile: { missing: { breaks: [], places: [] }, enc: { breaks: [], places: [] } },
}

type Encryption = NonNullable<NestedJwt['encryption']>

/** For `replies`: changes by what a reply is encrypted. */
const encryption =
  (change: (plan: Encryption) => NestedJwt['encryption']) =>
  (nestedJwt: NestedJwt): NestedJwt => ({
    ...nestedJwt,
    encryption: nestedJwt.encryption && change(nestedJwt.encryption),
  })

const notEncrypted = encryption(() => undefined)
const byA128 = encryption((plan) => ({ ...plan, enc: 'A128GCM' }))
const untyped = encryption((plan) => ({ ...plan, untyped: true }))
const byRsaOaep = encryption((plan) => ({ ...plan, alg: 'RSA-OAEP' }))

/** For `replies`: encrypts to the key that a client had when the fault first saw it. */
function toFirstKey(nestedJwt: NestedJwt, { clientId = '' }: { clientId?: string }, firstKeys: Latest<JWK>): NestedJwt {
  return encryption((plan) => {
    const key = firstKeys.get(clientId) ?? plan.key
    firstKeys.set(clientId, key)
    return { ...plan, key }
  })(nestedJwt)
}

export const userDataEncryptionFaults = endpoints.flatMap((endpoint) => {
  const breaks = [requirement[endpoint]]
  const { missing, enc } = declared[endpoint]
  return [
    fault({
      id: `${endpoint}/not-encrypted`,
      breaks: [...breaks, ...missing.breaks, 'REG-31'],
      places: ['part=encryption value=missing', ...missing.places],
      title: `Leaves out the encryption of ${endpoint} that the client registered`,
      nestedJwt: replies(endpoint, notEncrypted),
    }),
    fault({
      id: `${endpoint}/untyped-content`,
      breaks,
      places: ['part=typ'],
      title: `Does not say in the header of an encrypted ${endpoint} that a JWT is in it`,
      nestedJwt: replies(endpoint, untyped),
    }),
    fault({
      id: `${endpoint}/other-enc`,
      breaks: [...breaks, ...enc.breaks],
      places: ['member=enc', ...enc.places],
      title: `Encrypts ${endpoint} with A128GCM where A256GCM is registered`,
      nestedJwt: replies(endpoint, byA128),
    }),
    fault({
      id: `${endpoint}/other-alg`,
      breaks,
      places: ['alg=RSA-OAEP-256'],
      title: `Encrypts ${endpoint} with RSA-OAEP where RSA-OAEP-256 is registered`,
      nestedJwt: replies(endpoint, byRsaOaep),
    }),
    fault({
      id: `${endpoint}/encryption-of-put-unread`,
      breaks,
      places: ['use=after-put part=encryption'],
      title: `Does not encrypt ${endpoint} where a PUT registered that`,
      /** The clients that registered without. */
      memory: () => new Latest<true>(10_000),
      response: {
        'POST /register'(response, _bank, plain) {
          const { client_id, [`${endpoint}_encrypted_response_alg`]: alg } = Object(response.body)
          if (typeof client_id === 'string' && alg === undefined) plain.set(client_id, true)
          return response
        },
      },
      nestedJwt: replies(endpoint, (nestedJwt, { clientId = '' }: { clientId?: string }, plain: Latest<true>) =>
        plain.has(clientId) ? notEncrypted(nestedJwt) : nestedJwt,
      ),
    }),
    fault({
      id: `${endpoint}/old-key`,
      breaks: [...breaks, 'REG-31'],
      places: ['use=after-rotation', `token=${endpoint}`],
      title: `Encrypts ${endpoint} to the key that the client had at first`,
      memory: () => new Latest<JWK>(1_000),
      nestedJwt: replies(endpoint, toFirstKey),
    }),
    fault({
      id: `${endpoint}/encrypted-as-the-other`,
      breaks,
      places: ['part=encryption member=alone'],
      title: `Leaves out the encryption of ${endpoint} where the client did not register that of the other reply with user data`,
      memory: recordsOfClients,
      response: notedRecords,
      nestedJwt: replies<Records>(endpoint, (nestedJwt, { clientId = '' }, records) => {
        const record = records.get(clientId)
        const other = endpoint === 'userinfo' ? 'profile' : 'userinfo'
        return record && record[`${other}_encrypted_response_alg`] === undefined ? notEncrypted(nestedJwt) : nestedJwt
      }),
    }),
    fault({
      id: `${endpoint}/other-key`,
      breaks: [...breaks, 'REG-31'],
      places: ['part=encryption value=wrong'],
      title: `Encrypts ${endpoint} to a key that is not the client's`,
      memory: rogueKey,
      nestedJwt: replies(endpoint, encryptedToRogueKey),
    }),
  ]
})

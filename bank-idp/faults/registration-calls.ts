import { isDeepStrictEqual } from 'node:util'
import { body, fault, omit } from './fault.js'

/** Who may register, read, replace and delete, and what then happens. */
export const registrationCallFaults = [
  fault({
    id: 'registration/certificate-not-asked',
    breaks: ['REG-5', 'REG-22'],
    places: ['certificate=none'],
    title: 'Asks for no client certificate',
    without: ['registration/certificate-present', 'registration/certificate-trusted'],
  }),
  fault({
    id: 'registration/any-certificate',
    breaks: ['REG-5', 'REG-22'],
    places: ['certificate=untrusted'],
    title: 'Takes a client certificate of any authority',
    without: ['registration/certificate-trusted'],
  }),
  fault({
    id: 'registration/assertion-optional',
    breaks: ['REG-6', 'REG-22'],
    places: ['value=missing'],
    title: 'Takes a call without client_assertion',
    without: ['registration/assertion-present'],
  }),
  fault({
    id: 'registration/assertion-unverified',
    breaks: ['REG-6'],
    places: ['part=signature'],
    title: 'Does not verify the signature of RegistrationAuthJWT',
    without: ['registration-assertion/signature'],
  }),
  fault({
    id: 'registration/assertion-kind-unchecked',
    breaks: ['REG-28'],
    places: ['part=typ'],
    title: 'Takes for a RegistrationAuthJWT what was made for another purpose',
    without: ['registration-assertion/kind'],
  }),
  fault({
    id: 'registration/any-audience',
    breaks: ['REG-7', 'REG-28'],
    places: ['method=POST', 'method=POST part=aud', 'value=upper-case', 'value=equivalent'],
    title: 'Does not look at aud of RegistrationAuthJWT',
    without: ['registration-assertion/aud'],
  }),
  fault({
    id: 'registration/replay-taken',
    breaks: ['REG-8'],
    places: ['method=POST'],
    title: 'Takes a RegistrationAuthJWT as often as it comes',
    without: ['registration-assertion/replay'],
  }),
  fault({
    id: 'registration/any-assertion-type',
    breaks: ['REG-9'],
    places: ['method=POST'],
    title: 'Does not look at client_assertion_type',
    without: ['registration/assertion-type'],
  }),
  fault({
    id: 'registration/expired-assertion-taken',
    breaks: ['REG-28'],
    places: ['method=POST part=exp', 'part=exp value=other-type'],
    title: 'Does not look at exp of RegistrationAuthJWT',
    without: ['registration-assertion/exp'],
  }),
  fault({
    id: 'registration/assertion-without-jti-taken',
    breaks: ['REG-28'],
    places: ['method=POST part=jti', 'part=jti value=other-type', 'part=jti value=empty'],
    title: 'Takes a RegistrationAuthJWT without jti',
    without: ['registration-assertion/jti'],
  }),
  fault({
    id: 'registration/read-in-part',
    breaks: ['REG-10'],
    places: ['member=redirect_uris'],
    title: 'Leaves redirect_uris out when the record is read',
    response: { 'GET /register/{client_id}': body((record) => omit(record, 'redirect_uris')) },
  }),
  fault({
    id: 'registration/put-merges',
    breaks: ['REG-11'],
    places: ['member=contacts value=missing'],
    title: 'Keeps the fields that a PUT leaves out',
    clients: {
      async replace(record, { store, clientId }) {
        const old = await store.find(clientId)
        await store.replace(clientId, { ...old?.record, ...record })
      },
    },
  }),
  fault({
    id: 'registration/put-not-kept',
    breaks: ['REG-11'],
    places: ['member=client_name'],
    title: 'Answers a PUT with the new record and keeps the old one, where they differ in names and contacts alone',
    collateral: { 'registration/odd-values-echoed': 'odd names and contacts that a PUT brings do not hold' },
    clients: {
      async replace(record, { store, clientId }) {
        const old = (await store.find(clientId))?.record
        const names = Object.keys({ ...old, ...record }).filter((name) => !['client_name', 'contacts'].includes(name))
        if (names.some((name) => !isDeepStrictEqual(old?.[name], record[name]))) await store.replace(clientId, record)
      },
    },
  }),
  fault({
    id: 'registration/delete-without-effect',
    breaks: ['REG-12', 'REG-26'],
    places: [
      'endpoint=register',
      'endpoint=userinfo token=access-of-code',
      'endpoint=userinfo token=access-of-refresh',
      'endpoint=profile token=access-of-code',
      'endpoint=profile token=access-of-refresh',
    ],
    title: 'Answers DELETE with success and keeps the client',
    collateral: {
      'authorization/client-deleted': 'a client that is kept is served at /auth',
      'logout/strangers': 'a client that is kept hears of logouts',
      'notifications/opted-in': 'a client that is kept hears of changes',
    },
    clients: { remove: async () => {} },
  }),
  fault({
    id: 'registration/token-optional',
    breaks: ['REG-13'],
    places: ['method=GET caller=nobody'],
    title: 'Asks for no registration access token',
    without: ['registration/access-token-present'],
  }),
  fault({
    id: 'registration/any-token',
    breaks: ['REG-13'],
    places: ['method=GET caller=other-client'],
    title: "Takes another client's registration access token",
    without: ['registration/access-token-own'],
  }),
]

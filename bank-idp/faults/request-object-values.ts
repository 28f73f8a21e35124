import { Latest } from '../latest.js'
import { notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { type Fault, fault, omit } from './fault.js'
import { refusal } from './redirects.js'

const route = 'GET /auth'

/** A way to compare request_uri that lets more pass than what equals a registered one. */
interface Comparison {
  slug: string
  place: string
  title: string
  takes: (given: string, registered: string) => boolean
}

const page = (uri: string) => uri.replace(/#.*/s, '')
const fragment = (uri: string) => uri.slice(page(uri).length)

const comparisons: readonly Comparison[] = [
  {
    slug: 'by-prefix',
    place: 'member=registered value=superset',
    title: 'Takes a request_uri that begins with a registered one',
    takes: (given, registered) => given.startsWith(registered),
  },
  {
    slug: 'cut-short',
    place: 'member=registered value=prefix',
    title: 'Takes a request_uri with which a registered one begins',
    takes: (given, registered) => !registered.includes('#') && registered.startsWith(given),
  },
  {
    slug: 'by-suffix',
    place: 'member=registered value=suffix',
    title: 'Takes a request_uri that ends as a registered one',
    takes: (given, registered) => given.endsWith(registered.slice(registered.lastIndexOf('/'))),
  },
  {
    slug: 'any-fragment',
    place: 'member=fragment value=wrong',
    title: 'Takes a request_uri with another fragment than the registered one',
    takes: (given, registered) => page(given) === page(registered) && fragment(given) !== '',
  },
  {
    slug: 'without-fragment',
    place: 'member=fragment value=missing',
    title: 'Takes a request_uri without the fragment of the registered one',
    takes: (given, registered) => given === page(registered),
  },
  {
    slug: 'fragment-by-prefix',
    place: 'member=fragment value=superset',
    title: 'Compares as many characters of the fragment of a request_uri as the registered one has',
    takes: (given, registered) => fragment(registered) !== '' && given.startsWith(registered),
  },
  {
    slug: 'fragment-cut-short',
    place: 'member=fragment value=prefix',
    title: 'Takes a request_uri whose fragment is the beginning of the registered one',
    takes: (given, registered) => fragment(given) !== '' && registered.startsWith(given),
  },
  {
    slug: 'whatever-case',
    place: 'member=registered value=upper-case',
    title: 'Compares request_uri without regard to case',
    takes: (given, registered) => given.toLowerCase() === registered.toLowerCase(),
  },
  {
    slug: 'trailing-slash',
    place: 'member=trailing-slash',
    title: 'Takes a request_uri with a trailing slash for the same without',
    takes: (given, registered) => given === `${registered}/`,
  },
  {
    slug: 'host-in-any-case',
    place: 'member=host value=upper-case',
    title: 'Does not mind the case of the host of a request_uri',
    takes: (given, registered) => given.replace(/^https:..[^/]+/, (origin) => origin.toLowerCase()) === registered,
  },
  {
    slug: 'whatever-scheme',
    place: 'member=scheme',
    title: 'Compares request_uri without its scheme',
    takes: (given, registered) => given.replace(/^http:/, 'https:') === registered,
  },
]

const requestUris = (records: Records, clientId: string | null): string[] =>
  [records.get(clientId ?? '')?.request_uris ?? []].flat().map(String)

/**
 * What is not looked at inside of a request object, by the check that is left out; of a parameter that is judged once more, as one of a query,
 * what is passed over.
 */
const unchecked: readonly { check: string; place: string; what: string; isPassedOver?(value: unknown): boolean }[] = [
  { check: 'issuer', place: 'part=iss', what: 'iss' },
  { check: 'audience', place: 'part=aud', what: 'aud' },
  { check: 'expiry', place: 'part=exp', what: 'exp' },
  { check: 'not-before', place: 'part=nbf', what: 'nbf' },
  { check: 'time-types', place: 'part=exp value=other-type', what: 'the type of exp and of nbf' },
  { check: 'same-client_id', place: 'member=client_id', what: 'client_id' },
  {
    check: 'same-response_type',
    place: 'member=response_type',
    what: 'response_type',
    isPassedOver: (value) => value !== 'code',
  },
  { check: 'same-redirect_uri', place: 'member=redirect_uri', what: 'redirect_uri' },
  { check: 'scope-registered', place: 'member=scope', what: 'scope' },
  { check: 'display', place: 'member=display', what: 'display' },
  {
    check: 'prompt',
    place: 'member=prompt',
    what: 'prompt',
    isPassedOver: (value) => !/^(none|login|consent)\b/.test(String(value)),
  },
  {
    check: 'prompt-none-alone',
    place: 'member=prompt-none-beside-another',
    what: 'prompt none beside another',
    isPassedOver: (value) => /none .|. none/.test(String(value)),
  },
  { check: 'acr-values', place: 'member=acr_values', what: 'acr_values' },
  {
    check: 'max-age',
    place: 'member=max_age',
    what: 'max_age',
    isPassedOver: (value) => !(Number.isInteger(value) && Number(value) >= 0),
  },
  { check: 'response-mode', place: 'member=response_mode', what: 'response_mode' },
  { check: 'ui-locales', place: 'member=ui_locales', what: 'ui_locales' },
  { check: 'parameter-types', place: 'member=nonce', what: 'the JSON types' },
  { check: 'signature at encrypted', place: 'part=encryption', what: 'the signature, where it was encrypted,' },
]

/** A parameter that is ignored inside of a request object is not judged there either. */
const unread = { 'request-object/value-invalid': 'what is ignored is not refused' }

export const requestObjectValueFaults: readonly Fault[] = [
  ...comparisons.map(({ slug, place, title, takes }) =>
    fault({
      id: `request-object/uri-${slug}`,
      breaks: ['AUTH-21'],
      places: [place],
      title,
      memory: recordsOfClients,
      response: notedRecords,
      request: {
        [route](parameters, _bank, records) {
          const given = parameters.get('request_uri')
          const own = requestUris(records, parameters.get('client_id'))
          if (given === null || own.includes(given)) return
          // Whatever lies there, it is as if nothing were asked by reference.
          if (own.some((registered) => takes(given, registered))) parameters.delete('request_uri')
        },
      },
    }),
  ),
  fault({
    id: 'request-object/uri-of-anyone',
    breaks: ['AUTH-21'],
    places: ['use=second-client'],
    title: 'Takes a request_uri that any client registered',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records) {
        const given = parameters.get('request_uri')
        const clientId = parameters.get('client_id')
        if (given === null || requestUris(records, clientId).includes(given)) return
        if ([...records.keys()].some((other) => requestUris(records, other).includes(given)))
          parameters.delete('request_uri')
      },
    },
  }),
  fault({
    id: 'request-object/any-status',
    breaks: ['AUTH-21'],
    places: ['member=status'],
    title: 'Takes a request object whatever the status by which it is served',
    without: ['request-object/status'],
  }),
  ...unchecked.map(({ check, place, what, isPassedOver }) => {
    const member = place.replace(/^member=/, '').replace(/-.*/, '')
    return fault({
      id: `request-object/${check.replaceAll(/[_ ]/g, '-')}-unchecked`,
      breaks: ['AUTH-22'],
      places: [place],
      title: `Does not look at ${what} inside of a request object`,
      ...(isPassedOver
        ? {
            judgedObject: (object) =>
              member in object.claims && isPassedOver(object.claims[member])
                ? { ...object, claims: omit(object.claims, member) }
                : object,
          }
        : { without: [`request-object/${check}`] }),
    })
  }),
  fault({
    id: 'request-object/nested-taken',
    breaks: ['AUTH-22'],
    places: ['member=request', 'member=request_uri'],
    title: 'Takes a request object that names another one',
    without: ['request-object/nested'],
  }),
  fault({
    id: 'request-object/registration-ignored',
    breaks: ['AUTH-20'],
    places: ['token=request-object'],
    title: 'Ignores registration inside of a request object',
    without: ['request-object/registration'],
  }),
  fault({
    id: 'request-object/scope-unregistered-taken',
    breaks: ['AUTH-22'],
    places: ['scope=data value=wrong'],
    title: 'Answers a scope inside of a request object that the client did not register with invalid_request',
    response: {
      [route]: (response, { query }) =>
        query.has('request_uri') &&
        /invalid_request_object.*is\+not\+registered\+for\+this\+client/.test(String(response.headers.location))
          ? refusal(response, query, 'invalid_request')
          : response,
    },
  }),
  ...Object.entries<Fault['collateral']>({
    scope: { ...unread, 'request-object/scope-not-registered': 'what is ignored is not refused' },
    nonce: { 'request-object/hash-fragment': 'what is served there is told by its nonce' },
    state: { 'errors/request-uri': 'an error brings the state back too' },
    prompt: unread,
    max_age: { ...unread, 'authorization/max-age-in-request-object': 'max_age is the one that is ignored' },
    acr_values: unread,
    code_challenge: undefined,
  }).map(([name, collateral]) =>
    fault({
      id: `request-object/${name.replaceAll('_', '-')}-ignored`,
      breaks: ['AUTH-24'],
      places: [`member=${name}`],
      title: `Takes ${name} from the query, whatever the request object says`,
      ...(collateral && { collateral }),
      without: [`request-object/takes-${name}`],
    }),
  ),
  fault({
    id: 'request-object/id-token-hint-ignored',
    breaks: ['AUTH-28'],
    places: ['token=request-object'],
    title: 'Does not look at id_token_hint inside of a request object',
    without: ['request-object/takes-id_token_hint'],
  }),
  fault({
    id: 'request-object/first-uri-alone',
    breaks: ['AUTH-24'],
    places: ['value=second'],
    title: 'Knows the first of several registered request_uris alone',
    collateral: {
      'errors/request-uri': 'GEN-4 has an object at each of two request_uris',
      'request-object/foreign-keys': 'AUTH-22 has an object at each of several request_uris',
      'request-object/scope-missing': 'AUTH-10 has an object at the second of two request_uris',
      'request-object/value-invalid': 'AUTH-22 has an object at each of several request_uris',
      'request-object/scope-not-registered': 'AUTH-22 has an object at each of several request_uris',
      'request-object/expired': 'AUTH-22 has an object at each of several request_uris',
      'request-object/registration-inside': 'AUTH-20 has an object at each of several request_uris',
    },
    memory: recordsOfClients,
    response: {
      ...notedRecords,
      [route]: (response, { query }, records) => {
        const [first, ...others] = requestUris(records, query.get('client_id'))
        const given = query.get('request_uri')
        return given !== null && given !== first && others.includes(given)
          ? refusal(response, query, 'invalid_request_uri')
          : response
      },
    },
  }),
  fault({
    id: 'request-object/once',
    breaks: ['AUTH-24'],
    places: ['use=second-login'],
    title: 'Serves a request_uri once, and refuses it from then on',
    memory: () => new Latest<true>(10_000),
    response: {
      [route]: (response, { query }, served) => {
        const given = query.get('request_uri')
        if (given === null) return response
        if (served.has(given)) return refusal(response, query, 'invalid_request_uri')
        served.set(given, true)
        return response
      },
    },
  }),
  fault({
    id: 'request-object/encrypted-refused',
    breaks: ['AUTH-24', 'DISC-18'],
    title: 'Declares the encryption of request objects, and refuses encrypted ones',
    places: ['part=encryption'],
    without: ['request-object/decryption'],
  }),
]

import { signingFlow } from '../provider/capabilities.js'
import { body, fault, type OpenedRequest, type Sealing } from './fault.js'

const claimed = ({ claims }: OpenedRequest) => String(claims.scope ?? '').split(' ')

/** For `requestObject`: cuts a slash or a query off the end of a redirect URI. */
function trimmed(uri: string): string {
  return uri.replace(/(\/|\?more=1)$/, '')
}

/** For `sealing`: changes the id_token of an authorized object, and leaves others alone. */
function ofSigned(change: (sealing: Sealing, scope: Scope) => Sealing) {
  return (sealing: Sealing): Sealing => {
    const scope = sealing.claims.structured_scope as Scope | undefined
    return scope ? change(sealing, scope) : sealing
  }
}

interface Scope {
  signObject?: { fields: { priority: number }[] }
  documentObject?: object
  documentObjects?: { documents: object[] }
}

function withScope(change: (scope: Scope) => Scope) {
  return ofSigned((sealing, scope) => ({
    ...sealing,
    claims: { ...sealing.claims, structured_scope: change(scope) },
  }))
}

/** For `response`: changes the granted scopes of the signing flow's token responses; a login may have scope authorization too. */
function grantedScopes(change: (scopes: string[]) => string[]) {
  const ofFlow = ['openid', 'authorization', ...signingFlow.documentScopes]
  return body((tokens) => {
    const scopes = String(tokens.scope).split(' ')
    const signed = scopes.includes('authorization') && scopes.every((scope) => ofFlow.includes(scope))
    return signed ? { ...tokens, scope: change(scopes).join(' ') } : tokens
  })
}

/** For `response`: changes the error of a redirect that carries this description. */
function errorRedirect(description: string, change: (parameters: URLSearchParams) => void) {
  return (response: { status: number; headers: Record<string, string | string[]>; body: unknown }) => {
    const { location } = response.headers
    if (typeof location !== 'string' || !URL.canParse(location)) return response
    const target = new URL(location)
    if (target.searchParams.get('error_description') !== description) return response
    change(target.searchParams)
    return { ...response, headers: { ...response.headers, location: target.href } }
  }
}

const opened = new Set<string>()

export const signingFaults = [
  fault({
    id: 'signing/permanent-redirect',
    breaks: ['SIGN-8'],
    title: 'Answers /authorize with 301, which browsers remember',
    response: { 'GET /authorize': (response) => (response.status === 302 ? { ...response, status: 301 } : response) },
  }),
  fault({
    id: 'signing/state-changed',
    breaks: ['SIGN-32'],
    title: 'Sends the state of a request object back in lower case',
    requestObject({ claims }) {
      claims.state = String(claims.state).toLowerCase()
    },
  }),
  fault({
    id: 'signing/hint-ignored',
    breaks: ['SIGN-4'],
    title: 'Asks a person to sign in whom id_token_hint names',
    requestObject({ claims }) {
      delete claims.id_token_hint
    },
  }),
  fault({
    id: 'signing/new-scopes-dropped',
    breaks: ['SIGN-6', 'SIGN-27'],
    title: 'Drops the scopes of a request object that are new, and asks no consent',
    requestObject(request) {
      const scopes = claimed(request)
      if (scopes.includes('openid') && scopes.includes('authorization')) request.claims.scope = 'openid authorization'
    },
  }),
  fault({
    id: 'signing/refusal-other-code',
    breaks: ['SIGN-20'],
    title: 'Reports a refusal as interaction_required',
    response: {
      'GET /auth': errorRedirect('User declined the authorization', (parameters) =>
        parameters.set('error', 'interaction_required'),
      ),
    },
  }),
  fault({
    id: 'signing/twice',
    breaks: ['SIGN-47'],
    title: 'Lets an object be authorized again',
    without: ['authorize/request-undecided'],
  }),
  fault({
    id: 'signing/one-browser',
    breaks: ['SIGN-23'],
    title: 'Knows a request_uri only the first time that a browser comes with it',
    request: {
      'GET /authorize'(parameters) {
        const uri = parameters.get('request_uri')
        if (uri === null) return
        if (opened.has(uri)) parameters.set('request_uri', `${uri}-opened`)
        opened.add(uri)
      },
    },
  }),
  fault({
    id: 'signing/request-uri-not-asked',
    breaks: ['SIGN-33'],
    title: 'Takes a missing request_uri for one that is unknown',
    without: ['authorize/request-uri'],
  }),
  fault({
    id: 'signing/unknown-request-uri-page',
    breaks: ['SIGN-34'],
    title: 'Shows a page with status 200 for a request_uri that it does not know',
    response: {
      'GET /authorize': (response) =>
        response.status === 400 && JSON.stringify(response.body).includes('invalid_request_uri')
          ? { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Sorry</title>' }
          : response,
    },
  }),
  fault({
    id: 'signing/past-its-end',
    breaks: ['SIGN-34'],
    title: 'Lets an object be authorized past its exp',
    without: ['authorize/request-live'],
  }),
  fault({
    id: 'signing/redirect-uri-almost',
    breaks: ['SIGN-45'],
    title: 'Takes a redirect URI with a slash or a query more than the registered one',
    requestObject({ claims }) {
      if (typeof claims.redirect_uri === 'string') claims.redirect_uri = trimmed(claims.redirect_uri)
    },
    request: {
      'GET /authorize'(parameters) {
        const uri = parameters.get('redirect_uri')
        if (uri !== null) parameters.set('redirect_uri', trimmed(uri))
      },
    },
  }),
  fault({
    id: 'signing/last-field-hidden',
    breaks: ['SIGN-10'],
    title: 'Does not show the last field of a text',
    response: {
      'GET /interaction': (response) => ({
        ...response,
        body: String(response.body).replace(/(<dl class="fields">.*)<div><dt>.*?<\/dd><\/div><\/dl>/s, '$1</dl>'),
      }),
    },
  }),
  fault({
    id: 'signing/english-only',
    breaks: ['SIGN-14', 'SIGN-31'],
    title: 'Shows texts in English, whatever ui_locales says',
    requestObject({ claims }) {
      claims.ui_locales = 'en'
    },
  }),
  fault({
    id: 'signing/last-language',
    breaks: ['SIGN-31'],
    title: 'Takes the last of ui_locales in place of the first',
    requestObject({ claims }) {
      if (typeof claims.ui_locales === 'string') claims.ui_locales = claims.ui_locales.split(' ').reverse().join(' ')
    },
  }),
  fault({
    id: 'signing/weak-method-other-message',
    breaks: ['AUTH-32'],
    title: 'Has a message of its own for a method that is too weak',
    response: {
      'GET /auth': errorRedirect('User authentication method insufficient', (parameters) =>
        parameters.set('error_description', 'Method too weak'),
      ),
    },
  }),
  fault({
    id: 'signing/anyone-signs',
    breaks: ['AUTH-49'],
    title: 'Lets people sign who are too young or cannot be reached',
    without: ['signer/age', 'signer/contact'],
  }),
  fault({
    id: 'signing/result-not-encrypted',
    breaks: ['SIGN-9'],
    title: 'Does not encrypt the id_token with the authorized object',
    sealing: { id_token: ofSigned(({ claims, signing }) => ({ claims, signing })) },
  }),
  fault({
    id: 'signing/fields-in-order',
    breaks: ['SIGN-36'],
    title: 'Sends the fields of a text back in the order shown, not as they came',
    collateral: { 'signing/combined': 'the text is part of what is combined' },
    sealing: {
      id_token: withScope(({ signObject, ...scope }) => ({
        ...scope,
        ...(signObject && {
          signObject: { ...signObject, fields: [...signObject.fields].sort((a, b) => a.priority - b.priority) },
        }),
      })),
    },
  }),
  fault({
    id: 'signing/document-hash-missing',
    breaks: ['SIGN-11'],
    title: 'Leaves the hash of the document out of the result',
    collateral: { 'signing/combined': 'the document is part of what is combined' },
    sealing: {
      id_token: withScope(({ documentObject, ...scope }) => ({
        ...scope,
        ...(documentObject && { documentObject: { ...documentObject, document_hash: undefined } }),
      })),
    },
  }),
  fault({
    id: 'signing/tenth-document-missing',
    breaks: ['SIGN-12'],
    title: 'Sends no more than nine documents back',
    sealing: {
      id_token: withScope(({ documentObjects, ...scope }) => ({
        ...scope,
        ...(documentObjects && {
          documentObjects: { ...documentObjects, documents: documentObjects.documents.slice(0, 9) },
        }),
      })),
    },
  }),
  fault({
    id: 'signing/text-alone',
    breaks: ['SIGN-13'],
    title: 'Authorizes a text alone where documents came with it',
    requestObject({ claims }) {
      const { signObject, documentObject, documentObjects } = claims.structured_scope as Scope
      if (signObject && (documentObject ?? documentObjects)) claims.structured_scope = { signObject }
    },
  }),
  fault({
    id: 'signing/ps256-refused',
    breaks: ['SIGN-15'],
    title: 'Takes no request object that is signed with PS256',
    requestObject({ header }) {
      if (header.alg === 'PS256') header.alg = 'PS384'
    },
  }),
  fault({
    id: 'signing/no-token-in-front',
    breaks: ['SIGN-17'],
    title: 'Answers code id_token token as code id_token',
    requestObject({ claims }) {
      if (claims.response_type === 'code id_token token') claims.response_type = 'code id_token'
    },
  }),
  fault({
    id: 'signing/acr-understated',
    breaks: ['SIGN-18'],
    title: 'Says loa2 of whoever signed a document',
    sealing: {
      id_token: ofSigned((sealing, { signObject }) =>
        signObject ? sealing : { ...sealing, claims: { ...sealing.claims, acr: 'loa2' } },
      ),
    },
  }),
  fault({
    id: 'signing/not-stepped-up',
    breaks: ['SIGN-24', 'SIGN-18'],
    title: 'Lets a document be signed by whoever has a session',
    collateral: {
      'signing/document-by-loa3': 'what is asked for is not looked at',
      'signing/weak-method': 'nor is how the person authenticated',
    },
    requestObject({ claims }) {
      claims.acr_values = 'loa2'
    },
    without: ['ros/document-loa3', 'signer/acr', 'signer/method'],
  }),
  fault({
    id: 'signing/text-by-loa3-alone',
    breaks: ['SIGN-26'],
    title: 'Takes no text with acr_values loa2',
    requestObject({ claims }) {
      if (claims.acr_values === 'loa2') claims.acr_values = 'loa1'
    },
  }),
  fault({
    id: 'signing/other-subject',
    breaks: ['SIGN-35'],
    title: 'Names the subject of a result otherwise than that of a login',
    sealing: {
      id_token: ofSigned((sealing) => ({
        ...sealing,
        claims: { ...sealing.claims, sub: `signer-${sealing.claims.sub}` },
      })),
    },
  }),
  fault({
    id: 'signing/legal-status-not-granted',
    breaks: ['SIGN-37'],
    title: 'Grants five of the six scopes of documents',
    response: { 'POST /token': grantedScopes((scopes) => scopes.filter((scope) => scope !== 'profile.legalstatus')) },
  }),
  fault({
    id: 'signing/scope-not-listed',
    breaks: ['SIGN-46'],
    title: 'Leaves scope authorization out of the token response',
    response: { 'POST /token': grantedScopes((scopes) => scopes.filter((scope) => scope !== 'authorization')) },
  }),
  fault({
    id: 'signing/any-certificate',
    breaks: ['SIGN-44'],
    title: 'Takes an access token of the signing flow with whatever certificate',
    without: ['access-token/certificate'],
  }),
]

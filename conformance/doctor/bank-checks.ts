import { isUrl } from '../../schemas/is-url.js'
import { authorization, codeOf } from '../bank/authorization.js'
import type { Conversation } from '../bank/conversation.js'
import { fetchDiscovery } from '../bank/discovery.js'
import { publishedKeys } from '../bank/key-set.js'
import { assertionClaims, type Client, client, registration } from '../bank/registration.js'
import { exchangeCode, token } from '../bank/token.js'
import { introspection } from '../bank/token-state.js'
import { NoAnswer, StepFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { toLogIn, toRegister } from '../target/needs.js'
import { addressOf, personOf, type Target } from '../target/target.js'
import { PageRepeated, TargetError, UndescribedPage } from '../target/target-error.js'
import { asTrouble, errorText, needed } from './asking.js'
import { type Check, type Diagnosis, type DoctorContext, NotChecked, Trouble } from './check.js'
import { expectReachable } from './connection-checks.js'
import { resolveName } from './network.js'

const discovery: Check = {
  name: 'discovery',
  quick: 'always',
  after: ['clock'],
  async look({ target, conversation }) {
    const response = await fetchDiscovery(conversation)
    const issuer = response.member('issuer')
    if (response.status !== 200 || typeof issuer !== 'string') {
      const page = response.mediaType.includes('html')
      const isObject = response.status === 200 && typeof response.json === 'object' && response.json !== null
      throw new Trouble({
        said: isObject
          ? `the discovery document at ${response.request.url} has no issuer`
          : `there is no discovery document at ${response.request.url}: status ${response.status}, ${response.mediaType || 'no content type'}`,
        cause: page
          ? 'the answer is a page: from a proxy or a firewall before the bank, or from a route that catches every unknown path'
          : isObject
            ? 'the bank leaves the member issuer out, or something else than a bank answers there'
            : 'issuer is not the address that the bank is known by, or a part of its path is missing',
        fix: isObject
          ? 'have the document say issuer, the address that it is read from'
          : 'correct issuer; a browser has to show a JSON document at the address above',
        banks: true,
      })
    }
    if (issuer !== target.issuer) {
      throw new Trouble({
        said: `the discovery document at ${target.issuer} calls the bank ${issuer}`,
        cause: 'the bank is reached at another address than the one it calls itself',
        fix: `write issuer: ${issuer} in the target file, or correct the bank's configuration`,
        ...(!(await isAt(conversation, issuer)) && { banks: true }),
      })
    }
    return `the bank calls itself ${issuer}`
  },
}

/** Whether a bank of this name is found at its own address: then it is ours that is wrong. */
async function isAt(conversation: Conversation, issuer: string): Promise<boolean> {
  const url = `${addressOf({ issuer })}/.well-known/openid-configuration`
  if (!url.startsWith('https:') || !isUrl(url)) return false
  const answer = await conversation.send({ method: 'GET', url }).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined
    throw error
  })
  return answer?.status === 200 && answer.member('issuer') === issuer
}

const keys: Check = {
  name: 'keys',
  after: ['discovery'],
  async look({ conversation }) {
    const published = await asTrouble({ conversation }, publishedKeys(conversation), (said) => ({
      said,
      cause: 'jwks_uri of the discovery document is wrong, or the answer there is not {"keys": […]}',
      fix: 'correct jwks_uri; a browser has to show the key set there',
    }))
    if (published.length === 0) {
      throw new Trouble({
        said: 'the key set is empty',
        cause: 'the bank did not make or load its keys',
        fix: 'give the bank its signing and encryption keys',
      })
    }
    return `${published.length} keys: ${published.map(({ kty, use, alg }) => [kty, use, alg].filter(Boolean).join(' ')).join(', ')}`
  },
}

const clientCheck: Check = {
  name: 'client',
  quick: 'to register',
  after: ['discovery', 'client certificate'],
  async look(context) {
    if (context.target.client) return givenClient(context)
    needed(context, toRegister)
    const { conversation, target } = context
    if (target.mutualTls !== undefined) await expectReachable('mutual_tls', target.mutualTls, target)
    const unheard = (said: string): Diagnosis => ({
      said,
      cause: 'the bank does not answer POST /register',
      fix: "read the bank's log; if the bank is only slow, raise timeout_seconds",
      banks: true,
    })
    const { response } = await asTrouble(context, registration(conversation), unheard)
    if (response.status < 300 && typeof response.member('client_id') === 'string') return 'a client was registered'
    throw new Trouble(await refusedRegistration(context, response))
  },
}

/** Whether the bank takes the given client: it authenticates, with a code that there is not. What else is wrong, rules say. */
async function givenClient({ conversation }: DoctorContext): Promise<string> {
  const owner = await client(conversation)
  const { grant_types: grants = 'authorization_code' } = owner.metadata
  if (![grants].flat().includes('authorization_code')) throw new NotChecked('the given client exchanges no codes')
  const answer = await exchangeCode(conversation, owner, conversation.name()).catch((error: unknown) => {
    if (error instanceof StepFailure) throw new NotChecked(error.message)
    throw error
  })
  const refused = ['invalid_client', 'unauthorized_client'].includes(String(answer.member('error')))
  // A bank may say the same of a code that there is not: where it tells of a token it knows who asks.
  if (!refused || (await isHeard(conversation, owner))) return `the bank takes the given client ${owner.clientId}`
  throw new Trouble({
    said: `POST /token refuses the given client ${owner.clientId}: ${errorText(answer)}`,
    cause: 'the bank does not know client.client_id, or not with the secret, the key or the method of the target file',
    fix: 'correct client.client_id, client.client_secret_file or client.keys, and token_endpoint_auth_method of client.record',
  })
}

/** Whether the bank answers a client that asks of a token which there is not. */
async function isHeard(conversation: Conversation, owner: Client): Promise<boolean> {
  const unknown = { client: owner, token: conversation.name() }
  const answer = await introspection.try(conversation, unknown).catch((error: unknown) => {
    if (error instanceof NoAnswer || error instanceof StepFailure) return undefined
    throw error
  })
  return answer?.status === 200 && answer.member('active') === false
}

/** Whose fault a refused registration is: without the certificate the bank says the same, or something else. */
async function refusedRegistration({ conversation, target }: DoctorContext, refused: HttpResponse): Promise<Diagnosis> {
  const said = `POST /register is refused: ${errorText(refused)}`
  if (refused.status === 404) return absentRegistration(said, refused.request.url, target)
  const unproven = [401, 403].includes(refused.status) || refused.member('error') === 'invalid_client'
  if (!unproven) {
    const { server } = conversation.run.service
    const broken = await server?.trouble(breakingOffMs)
    if (broken !== undefined) return { said: `${said}; it connected to ${server?.url}, but ${broken}`, ...distrusted }
    return (
      (await refusedHost(conversation, said)) ?? {
        said,
        cause: 'the bank accepts our credentials but not the record, or it could not fetch what the record names',
        fix: 'read the error; `conformance run --only REG-1` shows the whole exchange',
        banks: true,
      }
    )
  }
  const bare = { ...(await registration.prepare(conversation)), certificate: false }
  const answer = await registration.send(conversation, bare).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined
    throw error
  })
  const same = answer !== undefined && errorText(answer) === errorText(refused)
  if (same || /certificate/i.test(errorText(refused))) {
    return {
      said,
      cause: `the bank does not trust the client certificate${same ? ': it gives the same answer without one' : ''}`,
      fix: 'add the authority of service.client_certificate to those that the bank trusts, and check that no proxy ends TLS before the bank',
    }
  }
  if (/expired|future|\b(exp|iat|nbf|time|clock)\b/i.test(errorText(refused))) {
    return {
      said,
      cause: "the bank's clock differs from ours, though its Date header does not show it",
      fix: "set both clocks (NTP); if the bank's time is moved on purpose, name its control door under `control`",
    }
  }
  const { aud } = await assertionClaims(conversation)
  const isBelowIssuer = String(aud).startsWith(`${addressOf(target)}/`)
  const other = isBelowIssuer && target.mutualTls !== undefined && target.mutualTlsAudience !== 'mutual_tls'
  const named = isBelowIssuer ? '' : ', as the discovery document has it (registration_endpoint)'
  const unseen = await isUnseen(conversation, refused)
  return {
    said,
    cause: unseen
      ? 'the bank gives the same answer without the headers client_assertion and client_assertion_type: a proxy or its server drops headers with an underscore, or it does not take the key or the audience of the assertion'
      : 'the bank accepts the certificate, but not the key or the audience of the assertion',
    fix: `${unseen ? 'FOR-THE-BANK.md says which servers drop such headers, and what to set; otherwise ' : ''}give the bank the public keys of service.keys; the aud of the assertion is ${aud}${named}${other ? ' (mutual_tls_audience: mutual_tls makes it the address that is called)' : ''}`,
  }
}

/** Whether the bank says of a call without an assertion what it says of one with it. */
async function isUnseen(conversation: Conversation, refused: HttpResponse): Promise<boolean> {
  const good = await registration.prepare(conversation)
  const answer = await registration
    .send(conversation, { ...good, presented: () => undefined, assertionType: undefined })
    .catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined
      throw error
    })
  return answer !== undefined && errorText(answer) === errorText(refused)
}

/** Nothing is served where clients are to be registered: at an address that the target file names, it is wrong. */
function absentRegistration(said: string, url: string, { mutualTls }: Target): Diagnosis {
  if (mutualTls !== undefined)
    return { said, cause: `the bank does not serve ${url}: mutual_tls is another address`, fix: 'correct mutual_tls' }
  return {
    said,
    cause: `the bank does not serve ${url}: it registers clients at an address of its own, or not at all`,
    fix: 'name the address that asks for client certificates as mutual_tls, or a client that the bank has registered as client',
    banks: true,
  }
}

/** Names of the own machine. */
const ownMachine = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/

/** Whether it is a redirect URI on this machine that is refused: the same record with one elsewhere is registered then. */
async function refusedHost(conversation: Conversation, said: string): Promise<Diagnosis | undefined> {
  const good = await registration.prepare(conversation)
  const [redirectUri] = [good.record.redirect_uris].flat()
  const { hostname } = new URL(String(redirectUri))
  if (!ownMachine.test(hostname)) return undefined
  const elsewhere = { ...good.record, redirect_uris: ['https://service.example/callback'] }
  const answer = await registration.send(conversation, { ...good, record: elsewhere }).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined
    throw error
  })
  if (answer === undefined || answer.status >= 300) return undefined
  return {
    said,
    cause: `the bank takes no redirect URI on ${hostname}: one on service.example was registered`,
    fix: `write a name other than ${hostname} by which the bank reaches this machine into service.server.url, and use a certificate for it (\`conformance init --url\` makes one)`,
  }
}

function unfinished(places: readonly string[]): string {
  return `${places.join(', ')} ${places.length === 1 ? 'is' : 'are'} still to be filled in`
}

const person: Check = {
  name: 'person',
  after: ['client'],
  async look(context) {
    needed(context, toLogIn)
    const { conversation, target } = context
    const { unfilled = [] } = target
    if (unfilled.some((place) => place.startsWith('people.'))) {
      throw new Trouble({
        said: `no person can log in yet: ${unfinished(unfilled)}`,
        cause: 'the target file is as `conformance init` wrote it',
        fix: 'fill in people first: the doctor then reaches the sign-in page, and says what login.pages has to describe',
      })
    }
    const { callback } = await pagesOf(context, async () => {
      const authorized = await authorization(conversation)
      await codeOf(authorized)
      return authorized
    })
    if (unfilled.length > 0) {
      throw new Trouble({
        said: `a person can log in, but ${unfinished(unfilled)}`,
        cause: 'that page was not shown, or another entry matches it',
        fix: 'describe the page, or remove its entry',
      })
    }
    return callback.pages.length === 0
      ? 'a person logs in without a page'
      : `a person logs in through ${callback.pages.length === 1 ? 'the page' : 'the pages'} ${callback.pages.join(', ')}`
  },
}

const whyDenied = {
  cause: 'an action `submit` presses the button by which people decline, or the bank turns this person away',
  fix: 'correct `submit` of the pages under login.pages, which is the button that leads on',
}

async function pagesOf<Outcome>(context: DoctorContext, work: () => Promise<Outcome>): Promise<Outcome> {
  const { client: given } = context.target
  try {
    return await asTrouble(context, work(), (said) => {
      if (said.includes('access_denied')) return { said, ...whyDenied }
      return {
        said,
        cause: given
          ? 'the bank does not take the given client with what client.record says, or answers without a code'
          : 'the bank answers the authorization request without a code',
        fix: given
          ? 'compare client.record.redirect_uris and client.record.scope with what the bank has registered'
          : '`conformance run --only AUTH-1` shows all exchanges; check that the client may use these scopes',
      }
    })
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    throw new Trouble({ said: error.mistakes.join('; '), ...whyNoLogin(error, context.target) })
  }
}

/** What of the target file kept a person from logging in. */
function whyNoLogin(error: TargetError, { unfilled, people }: Target): Pick<Diagnosis, 'cause' | 'fix'> {
  const [first = ''] = error.mistakes
  const fix = `correct ${first.split(':', 1)[0]} in the target file`
  if (unfilled) return { cause: unfinished(unfilled), fix: 'fill it in' }
  if (error instanceof UndescribedPage)
    return { cause: "login.pages does not describe this page of the bank's, or another `when` than its own", fix }
  if (error instanceof PageRepeated) {
    const login = personOf(people, 'full')?.login
    return {
      cause: `${login} cannot log in with this password, or the page is not filled in as its entry says`,
      fix: 'correct people and login.pages in the target file',
    }
  }
  return { cause: 'the target file says of the login what is not so at this bank, or on this machine', fix }
}

const ourAddress: Check = {
  name: 'our address',
  after: ['person'],
  async look(context) {
    const { conversation } = context
    const { server } = conversation.run.service
    if (context.target.client || !server) throw new NotChecked('the bank has nothing to fetch from this machine')
    needed(context, toLogIn)
    const exchanged = await asTrouble(context, token(conversation), (said) => ({ said, cause: '', fix: '' })).catch(
      (error: unknown) => {
        if (error instanceof Trouble) return error
        throw error
      },
    )
    const { metadata } = await client(conversation)
    const fetched = conversation.evidence
      .all()
      .some((item) => item.kind === 'exchange' && item.direction === 'received')
    if (fetched && !(exchanged instanceof Trouble)) return `the bank fetches from ${server.url}`
    if (!(exchanged instanceof Trouble)) return `the bank accepted a code without fetching from ${server.url}`
    const { said } = exchanged.diagnosis
    if (fetched) {
      throw new Trouble({
        said,
        cause: 'the bank fetched our keys, but does not accept the code or the assertion',
        fix: '`conformance run --only TOK-1` shows the whole exchange',
      })
    }
    const broken = await server.trouble(breakingOffMs)
    throw new Trouble({
      said: `the bank did not fetch ${metadata.jwks_uri}${broken ? `: it connected, but ${broken}` : ''}; ${said}`,
      ...(broken === undefined ? await unreached(server.url) : distrusted),
    })
  },
}

/** Milliseconds within which it shows that somebody broke off. */
const breakingOffMs = 1_000

const distrusted = {
  cause: 'the bank does not trust the certificate of service.server',
  fix: 'use a certificate of an authority that the bank trusts as service.server.cert',
}

/** Why nobody connected: a name that no machine knows is told from an address that cannot be reached. */
async function unreached(url: string): Promise<Pick<Diagnosis, 'cause' | 'fix'>> {
  const { hostname } = new URL(url)
  const known = await resolveName(hostname.replace(/^\[|\]$/g, '')).then(
    () => true,
    () => false,
  )
  return known
    ? {
        cause: 'the bank cannot resolve or reach service.server.url, or its own firewall blocks the connection',
        fix: 'make service.server.url an address by which the bank reaches service.server.listen of this machine',
      }
    : {
        cause: `the name ${hostname} of service.server.url cannot be resolved, here at least: nobody connected`,
        fix: 'make the name resolvable where the bank runs, or use another one in service.server.url',
      }
}

/** From the bank's documents to a person who logs in. */
export const bankChecks: readonly Check[] = [discovery, keys, clientCheck, person, ourAddress]

import type { Need } from '../../conformance/target/needs.js'
import { wronged } from './judge.js'
import type { Outcome } from './outcome.js'
import type { ShapeName } from './shapes.js'
import { wrongInSession } from './variants.js'

/** A right bank that looks otherwise from the outside than the bundled one does, in what the specification leaves to it. */
export interface Shaped {
  shape: ShapeName
  title: string
  /** The topics whose rules are run, where the others have nothing to go by; all when left out. */
  topics?: readonly string[]
  /** What it does not offer: rules that need it are skipped. */
  lacks?: Need
  /** The rules about what such a bank does not have: they are skipped. */
  skips: readonly string[]
}

/** Looks otherwise in what is said. */
export const anotherDialect: Shaped = {
  shape: 'another dialect',
  title:
    'Uses what HTTP, HTML, JSON and addresses leave free, offers more than is asked for, passes over white space around values, asks for login name and password on a page each, holds clients to the algorithm that they registered, refuses tokens of whose scopes none has claims at an endpoint, and has devices ask again',
  skips: [],
}

/** Looks otherwise to people. */
export const allOnOnePage: Shaped = {
  shape: 'all on one page',
  title:
    'Asks for name, password, a code and consent by one form, where boxes stand for several scopes each, as on the page of consent alone',
  skips: [
    'authorization/prompt-none-refused',
    'callback/consent-declined',
    'callback/consent-declined-after-account',
    'callback/consent-declined-by-reference',
    'callback/consent-declined-in-session',
    'callback/unfinished',
    'consent/declined-asked-again',
    'errors/consent-at-second-redirect-uri',
    'errors/consent-declined-by-reference',
    'errors/consent-declined-of-implicit',
    'errors/consent-refused',
    'errors/second-factor-cancelled',
    'signing/new-scopes-after-refusal',
    'signing/new-scopes-refused',
    'token/later-declined',
  ],
}

/** Each takes as many oddities as do not hide each other. */
export const shapedBanks: readonly Shaped[] = [
  {
    shape: 'each time anew',
    title:
      'Has everybody sign in anew for each request, wants redirect_uri in a refresh, takes new keys, orders lists anew and shows boxes unticked',
    skips: [
      'authorization/id-token-hint-of-earlier-login',
      'authorization/max-age',
      'authorization/prompt-none-accounts',
      'authorization/prompt-none-consent',
      'authorization/prompt-none-consented',
      'authorization/prompt-none-interaction',
      'authorization/prompt-none-refused',
      'authorization/prompt-none-second-client',
      'authorization/prompt-none-variations',
      ...wrongInSession,
      'logout/code',
      'logout/confirmed',
      'logout/confirmed-tokens',
      'logout/confirmed-told',
      'logout/front-channel-token',
      'logout/session',
      'logout/signing-token',
      'registration/default-max-age',
      'registration/default-max-age-variations',
      'registration/left-out-age',
      'revocation/session-ended',
      'subjects/same-after-logout',
      'token/refresh-token-issued-silently',
    ],
  },
  {
    shape: 'policies of its own',
    title:
      'Has clients authenticate by a secret in the form alone, which each PUT renews with the registration access token, so without a signing flow, wants an enc with each alg and prompt=consent for refresh tokens, answers by form_post too, asks whom it knows for the password alone, shows a summary before the boxes of consent and accounts as links, and has the second factor confirmed in an app',
    lacks: 'signing',
    skips: [
      'token/refresh-after-next-person',
      'authorization/acr-of-next-person',
      'authorization/acr-out-of-reach-of-next-person',
      'consent/next-person',
      'subjects/next-person',
      'token/previous-person',
      'client-authentication/assertion-type',
      'client-authentication/es512-algorithms',
      'client-authentication/es512-audience',
      'client-authentication/es512-lifetime',
      'client-authentication/es512-names',
      'client-authentication/es512-signature',
      'client-authentication/key-added',
      'client-authentication/key-of-another',
      'client-authentication/key-of-service',
      'client-authentication/keys-at-jwks-uri',
      'client-authentication/other-algorithm',
      'client-authentication/other-curve',
      'client-authentication/pkcs1-algorithms',
      'client-authentication/private-key-jwt',
      'client-authentication/public-key-as-secret',
      'client-authentication/secret-jwt',
      'client-authentication/secret-jwt-audience-at-revoke',
      'client-authentication/secret-jwt-audience-at-token-info',
      'client-authentication/secret-jwt-claims',
      'client-authentication/secret-jwt-lifetime',
      'client-authentication/secret-jwt-replay',
      'client-authentication/secret-jwt-signature',
      'client-authentication/secret-jwt-unsigned',
      'client-authentication/sent-otherwise',
      'introspection/audience',
      'registration/change-of-algorithm',
      'registration/change-of-keys',
      'registration/change-of-method',
      'registration/left-out-assertion-algorithm',
      'registration/replay-after-change',
      'revocation/audience',
      'revocation/assertion-of-other-names',
      'revocation/nameless-assertion',
      'revocation/nameless-assertion-by-secret',
      'revocation/nameless-assertion-of-another',
      'token/assertion-algorithms',
      'token/assertion-claims',
      'token/assertion-issuer-of-another',
      'token/assertion-kind',
      'token/assertion-lifetime',
      'token/assertion-replay',
      'token/assertion-signature',
      'token/refresh-token-issued-silently',
    ],
  },
  {
    shape: 'errors after the sign-in',
    title:
      'Has the person sign in before it tells what is wrong with a request, choose each scope by radio buttons or a list, and enter a code for documents, and refuses certificates by a page',
    topics: ['authorization', 'errors', 'request-object'],
    skips: [],
  },
  {
    shape: 'registration at an address of its own',
    title:
      'Registers clients and takes request objects at the mutual TLS address alone, behind a proxy that answers 400, leads browsers on before it looks at what they ask, and tells its health once',
    topics: ['general', 'health', 'registration', 'signing'],
    skips: ['signing/method-changed'],
  },
  {
    shape: 'certificates at an address of their own',
    title: 'Refuses who shows no client certificate that it trusts in the TLS handshake',
    topics: ['registration'],
    skips: [],
  },
  {
    shape: 'sign-in at an address of its own',
    title:
      'Has people sign in at another host, by pages that post themselves, and anew to reach loa3, on pages of other names; a sub-system is in an OUTAGE, and the time of its health has no offset',
    topics: ['authorization', 'callback', 'consent', 'errors', 'health', 'logout', 'signing'],
    skips: ['authorization/state-side-by-side', 'callback/unfinished', 'errors/second-factor-cancelled'],
  },
  {
    shape: 'of another make',
    title:
      'Asks for consent on three pages, two of which look alike, shows an object on two, takes a refresh token as code, looks for tokens before it looks who shows them, and refuses them by a page, is restarted once, tells what was not registered and holds all the same, has queries in its addresses and times without separators, tells errors in the fragment where a token would be, redirects who comes with a request_uri that it does not know, and signs profile with one algorithm of the two for userinfo',
    skips: ['profile/after-put-signed'],
  },
  {
    shape: 'among systems of its own',
    title:
      'Has a system of its own tell of logouts, twice and encrypted as id_tokens are, and in frames of a frame, keeps request objects that it read, and has pages made by scripts, with what HTML has for who runs none',
    topics: ['logout', 'request-object'],
    skips: [],
  },
]

/** No rule fails a bank of that shape, and those that are skipped are named. @param name of the bank, where it is not that of its shape */
export function judgeShaped(
  { shape, skips, lacks }: Shaped,
  outcomes: readonly Outcome[],
  rightBank: readonly Outcome[],
  name: string = shape,
): string[] {
  const skipped = outcomes.filter(
    ({ status, rule, needs }) => status === 'skip' && ((lacks && needs.includes(lacks)) || skips.includes(rule)),
  )
  const stale = skips.filter((rule) => !skipped.some((outcome) => outcome.rule === rule))
  return [
    ...wronged(
      name,
      outcomes.filter((outcome) => !skipped.includes(outcome)),
      rightBank,
    ),
    ...stale.map((rule) => `${name}: declares that ${rule} is skipped, but it is not`),
  ]
}

import type { Need } from '../../conformance/target/needs.js'
import { nameOf, wronged } from './judge.js'
import type { Outcome } from './outcome.js'
import type { ShapeName } from './shapes.js'
import { together } from './together.js'
import { type Variant, variants, wrongInSession } from './variants.js'

/**
 * A right bank that looks otherwise from the outside than the bundled one does, in what the specification leaves to it, and takes other
 * readings at once: what a rule takes for granted of one may not hold beside another.
 */
export interface Shaped {
  name: string
  shape: ShapeName
  title: string
  /** The variants that it takes, with their shapes, where they do not hide each other. */
  takes?: readonly Variant[]
  /** The topics whose rules are run, where the others have nothing to go by; all when left out. */
  topics?: readonly string[]
  /** What it does not offer: rules that need it are skipped. */
  lacks?: Need
  /** The rules about what such a bank does not have: they are skipped. */
  skips: readonly string[]
}

/** Variants by their names. @throws when there is none of a name */
function named(...names: string[]): Variant[] {
  return names.map((name) => {
    const variant = variants.find((one) => nameOf(one) === name)
    if (!variant) throw new Error(`there is no variant ${name}`)
    return variant
  })
}

/** Each takes as many oddities as do not hide each other. */
export const shapedBanks: readonly Shaped[] = [
  {
    name: 'readings together, one',
    shape: 'another dialect',
    title:
      'Uses what HTTP, HTML, JSON and addresses leave free, offers more than is asked for, passes over white space around values, asks for login name and password on a page each, holds clients to the algorithm that they registered, refuses tokens of whose scopes none has claims at an endpoint, and has devices ask again',
    takes: [
      ...together('first', ['AMB-22', 'AMB-45', 'AMB-53', 'AMB-61']),
      ...named('AMB-30=as-published objects refused at /authorize'),
    ],
    skips: [],
  },
  {
    name: 'readings together, two',
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
      'errors/consent-long-left',
      'errors/consent-refused',
      'errors/second-factor-cancelled',
      'signing/new-scopes-after-refusal',
      'signing/new-scopes-refused',
      'token/later-declined',
    ],
    takes: [
      // Where secrets are not given to all (21), openid alone gives sub alone (33), and code is served alone (11, 13), the four do not show.
      ...together('last', ['AMB-11', 'AMB-13', 'AMB-21', 'AMB-33']),
      ...named('AMB-65=own-address certificates at an address of their own'),
    ],
  },
  {
    name: 'each time anew',
    shape: 'each time anew',
    title:
      'Has everybody sign in anew for each request, wants redirect_uri in a refresh, takes new keys, orders lists anew and shows boxes unticked',
    takes: named('AMB-30=in-target-file signing elsewhere', 'AMB-65=whole-host certificates everywhere'),
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
      'expiry/id-token-hint',
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
    name: 'policies of its own',
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
    name: 'errors after the sign-in',
    shape: 'errors after the sign-in',
    title:
      'Has the person sign in before it tells what is wrong with a request, choose each scope by radio buttons or a list, and enter a code for documents, and refuses certificates by a page',
    topics: ['authorization', 'errors', 'request-object'],
    skips: [],
  },
  {
    name: 'registration at an address of its own',
    shape: 'registration at an address of its own',
    title:
      'Registers clients and takes request objects at the mutual TLS address alone, behind a proxy that answers 400, leads browsers on before it looks at what they ask, and tells its health once',
    topics: ['general', 'health', 'registration', 'signing'],
    skips: ['signing/method-changed'],
  },
  {
    name: 'certificates at an address of their own',
    shape: 'certificates at an address of their own',
    title: 'Refuses who shows no client certificate that it trusts in the TLS handshake',
    topics: ['registration'],
    skips: [],
  },
  {
    name: 'sign-in at an address of its own',
    shape: 'sign-in at an address of its own',
    title:
      'Has people sign in at another host, by pages that post themselves, and anew to reach loa3, on pages of other names; a sub-system is in an OUTAGE, and the time of its health has no offset',
    topics: ['authorization', 'callback', 'consent', 'errors', 'health', 'logout', 'signing'],
    skips: [
      'authorization/state-side-by-side',
      'callback/unfinished',
      'errors/second-factor-cancelled',
      'errors/sign-in-long-left',
    ],
  },
  {
    name: 'of another make',
    shape: 'of another make',
    title:
      'Asks for consent on three pages, two of which look alike, shows an object on two, takes a refresh token as code, looks for tokens before it looks who shows them, and refuses them by a page, is restarted once, tells what was not registered and holds all the same, has queries in its addresses and times without separators, tells errors in the fragment where a token would be, redirects who comes with a request_uri that it does not know, and signs profile with one algorithm of the two for userinfo',
    takes: named(
      'AMB-5=token-type-hint-only',
      'AMB-30=as-published objects refused in the callback',
      'AMB-32=forbidden',
      'AMB-36=other-addresses',
      'AMB-51=fixed-address',
      'AMB-72=service objects signed by the service',
    ),
    skips: ['profile/after-put-signed'],
  },
  {
    name: 'among systems of its own',
    shape: 'among systems of its own',
    title:
      'Has a system of its own tell of logouts, twice and encrypted as id_tokens are, and in frames of a frame, keeps request objects that it read, and has pages made by scripts, with what HTML has for who runs none',
    topics: ['logout', 'request-object'],
    skips: [],
  },
]

/** How it looks from the outside, for itself and for what it takes. */
export function shapesOf({ shape, takes = [] }: Shaped): ShapeName[] {
  return [...takes.flatMap((variant) => variant.shape ?? []), shape]
}

/** No rule fails such a bank, those that are skipped are named or skipped for a reading that it takes, and each of these readings shows. */
export function judgeShaped(
  { name, skips, lacks, takes = [] }: Shaped,
  outcomes: readonly Outcome[],
  rightBank: readonly Outcome[],
): string[] {
  const forReadings = takes.flatMap((variant) => variant.skips ?? [])
  const skipped = outcomes.filter(
    ({ status, rule, needs }) =>
      status === 'skip' && ((lacks && needs.includes(lacks)) || skips.includes(rule) || forReadings.includes(rule)),
  )
  const stale = skips.filter((rule) => !skipped.some((outcome) => outcome.rule === rule))
  const shown = new Set(
    outcomes.flatMap(({ readings }) => readings.map(({ ambiguity, reading }) => `${ambiguity}=${reading}`)),
  )
  const unseen = takes.map(({ ambiguity, reading }) => `${ambiguity}=${reading}`).filter((one) => !shown.has(one))
  return [
    ...wronged(
      name,
      outcomes.filter((outcome) => !skipped.includes(outcome)),
      rightBank,
    ),
    ...stale.map((rule) => `${name}: declares that ${rule} is skipped, but it is not`),
    ...unseen.map((one) => `${name}: no rule tells that the bank took ${one}`),
  ]
}

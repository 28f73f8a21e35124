import type { Bank } from '../../bank/bank.js'
import type { RequestObjectOptions } from '../../bank/ros.js'
import type { Submission } from '../../bank/submission-outcome.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { rs256Signer } from '../../service/client-keys.js'
import { sha512 } from '../../service/request-objects.js'
import { toSign } from '../../target/needs.js'
import { expectObjectRefused, isAuthorized } from './refusals.js'

type Claims = Record<string, unknown>

/** The steps that take the place of good ones. */
type Broken = (good: Submission, bank: Bank) => Partial<Submission> | Promise<Partial<Submission>>

/** What a request object is refused for. */
interface Row {
  slug: string
  requirement: string
  title: string
  /** What the good objects are like; each is broken in each way. Default: one of a text. */
  good?: readonly RequestObjectOptions[]
  /** By what is wrong. */
  broken: Record<string, Broken>
  /** One at the edge of what is refused, which has to be taken. */
  accepted?: RequestObjectOptions
  /** What else is to be seen once these are refused. */
  also?(tools: Tools): Promise<void>
}

function without(members: Claims, ...names: string[]): Claims {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

/** Other claims. */
const claims =
  (change: (good: Claims) => Claims): Broken =>
  (good) => ({ claims: change(good.claims) })

/** Claims in place of the good ones. */
const claim = (changes: Claims): Broken => claims((good) => ({ ...good, ...changes }))

/** Another envelope of documents in the structured scope. */
const envelope = (change: (good: Claims) => Claims): Broken =>
  claims((good) => {
    const scope = good.structured_scope as { documentObjects: Claims }
    return { ...good, structured_scope: { ...scope, documentObjects: change(scope.documentObjects) } }
  })

/** Another redirect URI, in the claims and at /authorize. */
const redirectTo =
  (change: (registered: string) => string | undefined): Broken =>
  (good) => {
    const redirect_uri = change(good.client.redirectUri)
    return { claims: { ...good.claims, redirect_uri }, query: { redirect_uri } }
  }

const paymentObject = { amount: '1' }

const rows: readonly Row[] = [
  {
    slug: 'scopes-of-the-unknown',
    requirement: 'SIGN-3',
    title: 'Without an access token the scopes openid and authorization are required',
    broken: {
      'scope "openid"': claim({ scope: 'openid' }),
      'scope "authorization"': claim({ scope: 'authorization' }),
      'scope ""': claim({ scope: '' }),
      'no scope': claims((good) => without(good, 'scope')),
    },
  },
  {
    slug: 'document-by-loa3',
    requirement: 'SIGN-5',
    title: 'A document request without acr_values loa3 gets an error',
    good: [{ kind: 'document' }, { kind: 'documents' }],
    broken: { 'acr_values loa2': claim({ acr_values: 'loa2' }) },
    async also({ bank, reading }) {
      const spelled = await bank.signing.submission.modified({ kind: 'document' }, (good) => ({
        claims: { ...without(good.claims, 'acr_values'), acr_value: 'loa3' },
      }))
      reading('AMB-62', isAuthorized(spelled) ? 'both-spellings' : 'acr-values-only')
    },
  },
  {
    slug: 'max-age-required',
    requirement: 'SIGN-7',
    title: 'A request object without max_age is refused',
    broken: { 'no max_age': claims((good) => without(good, 'max_age')) },
  },
  {
    slug: 'unknown-kind',
    requirement: 'SIGN-30',
    title: 'An unknown kind of object is refused, alone and beside a known one',
    broken: {
      'paymentObject beside signObject': claims((good) => ({
        ...good,
        structured_scope: { ...(good.structured_scope as object), paymentObject },
      })),
      'paymentObject alone': claim({ structured_scope: { paymentObject } }),
    },
  },
  {
    slug: 'eleven-documents',
    requirement: 'SIGN-38',
    title: 'Ten documents are taken, eleven are refused',
    accepted: { kind: 'documents', count: 10 },
    good: [{ kind: 'documents', count: 10 }],
    broken: {
      'eleven documents': async (_good, bank) => {
        const eleven = await bank.signing.requestObject.prepare({ kind: 'documents', count: 11 })
        return { claims: eleven.claims }
      },
    },
  },
  {
    slug: 'whole-envelope',
    requirement: 'SIGN-39',
    title: 'An envelope without name, hash or document is refused',
    good: [{ kind: 'documents' }],
    broken: {
      'no envelope_name': envelope((good) => without(good, 'envelope_name')),
      'no envelope_hash': envelope((good) => without(good, 'envelope_hash')),
      'no document': envelope((good) => ({ ...good, documents: [], envelope_hash: sha512('') })),
    },
  },
  {
    slug: 'envelope-hash',
    requirement: 'SIGN-40',
    title: 'An envelope_hash that does not fit the documents is refused',
    good: [{ kind: 'documents' }],
    broken: {
      'the envelope_hash of another document': envelope((good) => ({
        ...good,
        envelope_hash: sha512('another document'),
      })),
    },
  },
  {
    slug: 'forbidden-algorithms',
    requirement: 'SIGN-41',
    title: 'A request object signed with RS256, or with none, is refused',
    broken: {
      'alg RS256': async ({ client }) => ({ signer: await rs256Signer(client.keys) }),
      'alg none': () => ({ signer: 'none' }),
    },
  },
  {
    slug: 'signed-and-encrypted',
    requirement: 'SIGN-42',
    title: 'A request object that is only signed, or only encrypted, is refused',
    broken: {
      'a request object that is only signed': () => ({ encryption: 'none' }),
      'a request object that is only encrypted': () => ({ signer: 'none' }),
    },
    async also({ bank, note, reading }) {
      const usual = await bank.signing.signedBy()
      const service = await bank.signing.serviceSigner()
      if (!service)
        return note('service.keys has no key for ES256: whether the service may sign request objects was not tried')
      const outcome = await bank.signing.submission.modified({}, ({ client, signer }) => ({
        signer: usual === 'service' ? (client.keys.es256 ?? signer) : service,
      }))
      reading('AMB-72', isAuthorized(outcome) ? 'client-or-service' : usual)
    },
  },
  {
    slug: 'redirect-uri',
    requirement: 'SIGN-45',
    title: 'A redirect URI that is missing, or is not exactly a registered one, is refused',
    broken: {
      'no redirect_uri': redirectTo(() => undefined),
      'a trailing slash of redirect_uri': redirectTo((registered) => `${registered}/`),
      'another query of redirect_uri': redirectTo((registered) => `${registered}?more=1`),
      'another host of redirect_uri': redirectTo(() => 'https://evil.example/callback'),
    },
  },
]

/** The table as rules, one for each row. */
export const refusals: readonly Rule[] = rows.map(({ slug, requirement, title, good = [{}], broken, accepted, also }) =>
  rule({
    id: `signing/${slug}`,
    requirement,
    title,
    needs: toSign,
    async check(tools) {
      const { bank, expect, inVariation } = tools
      if (accepted) expect(await bank.signing.requestObject.try(accepted)).toHaveStatus(200, 201)
      for (const options of good) {
        for (const [how, change] of Object.entries(broken)) {
          const name = options.kind === undefined ? how : `${options.kind}: ${how}`
          await inVariation(name, async () => {
            const outcome = await bank.signing.submission.modified(options, (one) => change(one, bank))
            expectObjectRefused(expect, outcome)
          })
        }
      }
      await also?.(tools)
    },
  }),
)

import { callbackMessages } from '../callback-messages.js'
import type { BankContext } from '../context.js'
import type { People } from '../people.js'
import { namedPerson } from '../signing-request.js'
import { runSteps, type Step } from '../steps.js'
import { acrToReach, satisfies } from './acr.js'
import { internalOf } from './internal-request.js'
import { errors, interactionPolicy, type KoaContextWithOIDC } from './library.js'
import { identifyPrompt, objectToAuthorize, signPrompt } from './signing-prompts.js'

const { Prompt, Check, base } = interactionPolicy

type Parts = Pick<BankContext, 'people' | 'seams' | 'subjects' | 'clients' | 'signingRequests'>

/** The person's sub at the client that asks. */
async function subjectOf(
  { oidc }: KoaContextWithOIDC,
  { clients, subjects }: Parts,
  accountId: string,
): Promise<string | undefined> {
  const client = await clients.find(String(oidc.client?.clientId))
  return client && subjects.of(client, accountId)
}

function sessionOf({ oidc }: KoaContextWithOIDC): { accountId?: string; acr?: string } {
  return (oidc.session ?? {}) as { accountId?: string; acr?: string }
}

/** Whether a page of this interaction has done its part. */
function isDone({ oidc }: KoaContextWithOIDC, prompt: string): boolean {
  return Object.hasOwn(oidc.result ?? {}, prompt)
}

/** What is done with id_token_hint once somebody has signed in on a page: it counts as before. */
const hintSteps: readonly Step<{ counts: boolean }>[] = [
  {
    id: 'authorization/hint-after-sign-in',
    run(hint) {
      hint.counts = true
    },
  },
]

/**
 * Another end-user than the one of id_token_hint: asked to sign in, unless that cannot help. Specification: "Effect of authorization
 * request parameters on errors", row id_token_hint.
 */
function hintCheck(parts: Parts) {
  const reason = 'the end-user is not the one that id_token_hint names'
  return new Check('id_token_hint', reason, 'login_required', async (ctx) => {
    const hinted = internalOf(ctx.oidc.params, 'hintedSubject')
    if (hinted === undefined) return Check.NO_NEED_TO_PROMPT
    const { accountId } = sessionOf(ctx)
    if (accountId === undefined) return Check.REQUEST_PROMPT
    const accounts = [accountId, ...parts.people.accountsOf(accountId).map(({ id }) => id)]
    const known = await Promise.all(accounts.map((id) => subjectOf(ctx, parts, id)))
    if (known.includes(hinted)) return Check.NO_NEED_TO_PROMPT
    const hint = { counts: !isDone(ctx, 'login') }
    await runSteps(hintSteps, hint, parts.seams, ctx.oidc.client?.clientId)
    if (!hint.counts) return Check.NO_NEED_TO_PROMPT
    const { prompts } = ctx.oidc
    if (isDone(ctx, 'login') || (prompts.has('consent') && !prompts.has('login'))) {
      throw new errors.LoginRequired(reason)
    }
    return Check.REQUEST_PROMPT
  })
}

/**
 * A login that lies further back than max_age, or default_max_age: judged when the interaction begins. A page may then be read for longer,
 * and what is decided on it stays decided (OpenID Connect Core section 3.1.2.1).
 */
function maxAgeCheck() {
  return new Check('max_age', 'the end-user signed in too long ago', 'login_required', ({ oidc }) => {
    const maxAge = oidc.params?.max_age
    return maxAge !== undefined && !oidc.entities.Interaction && Boolean(oidc.session?.past(Number(maxAge)))
  })
}

/** Ends the authorization of somebody who was signed in and is not let in any more, blocked a moment ago, say. */
function admittedCheck() {
  return new Check('not_admitted', 'the end-user may not log in', ({ oidc }: KoaContextWithOIDC) => {
    if (oidc.session?.accountId === undefined || oidc.account) return Check.NO_NEED_TO_PROMPT
    const { code, message } = callbackMessages['switched-off']
    throw new errors.CustomOIDCProviderError(code, message)
  })
}

/** A second factor, when what is asked for lies above what the session has reached and the person is able to. */
function secondFactorPrompt(people: People) {
  const check = new Check('acr_not_reached', 'a second factor is needed to reach acr_values', async (ctx) => {
    const { accountId, acr } = sessionOf(ctx)
    const person = accountId === undefined ? undefined : people.byId(accountId)
    if (!person) return Check.NO_NEED_TO_PROMPT
    const wanted = acrToReach(ctx.oidc.params?.acr_values as string | undefined, person)
    if (wanted === 'unreachable') {
      const { code, message } = callbackMessages['not-eligible']
      throw new errors.CustomOIDCProviderError(code, message)
    }
    return satisfies(acr, wanted) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
  })
  return new Prompt({ name: 'second_factor', requestable: false }, check)
}

/** A choice among the identities of a person who has several, made anew for each authorization. */
function selectAccountPrompt(parts: Parts) {
  const check = new Check('several_accounts', 'the end-user has to choose one of several accounts', async (ctx) => {
    const { accountId } = sessionOf(ctx)
    if (accountId === undefined || isDone(ctx, 'select_account')) return Check.NO_NEED_TO_PROMPT
    if (parts.people.accountsOf(accountId).length === 0) return Check.NO_NEED_TO_PROMPT
    const request = await objectToAuthorize(ctx, parts.signingRequests)
    if (request && namedPerson(request) === accountId) return Check.NO_NEED_TO_PROMPT
    const hinted = internalOf(ctx.oidc.params, 'hintedSubject')
    const known = hinted !== undefined && (await subjectOf(ctx, parts, accountId)) === hinted
    return known ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
  })
  return new Prompt({ name: 'select_account', requestable: true }, check)
}

/** The pages that an authorization may need, in their order: identify, sign-in, second factor, account, consent, sign. */
export function makePolicy(parts: Parts) {
  const policy = base()
  const login = policy.get('login')
  for (const replaced of ['id_token_hint', 'max_age']) login?.checks.remove(replaced)
  login?.checks.add(maxAgeCheck())
  login?.checks.add(admittedCheck())
  login?.checks.add(hintCheck(parts))
  policy.add(secondFactorPrompt(parts.people), 1)
  policy.add(selectAccountPrompt(parts), 2)
  policy.add(identifyPrompt(parts.signingRequests), 0)
  policy.add(signPrompt(parts.signingRequests))
  return policy
}

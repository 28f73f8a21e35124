import { callbackMessages } from '../../callback-messages.js'
import { type Check, runChecks } from '../../checks.js'
import { claimsOfScope } from '../../claims.js'
import { clientNameOf } from '../../client.js'
import type { BankContext } from '../../context.js'
import { BankError } from '../../errors.js'
import { consentPage } from '../../pages/consent.js'
import { parseSpaceDelimited } from '../../parse-space-delimited.js'
import { impliedScopes } from '../../signing-request.js'
import { displayName } from './display-name.js'
import type { Page, Step } from './step.js'

/** Scopes that cannot be unticked. Specification: "Token kinds", rule 5. */
function requiredScopes({ client }: Step): string[] {
  return ['openid', ...parseSpaceDelimited(client.record.required_scope as string | undefined)]
}

/** Scopes that are not asked about apart, since they come with a signature. */
function impliedOf({ signing }: Step): string[] {
  return signing ? impliedScopes(signing) : []
}

/** What was decided about the scopes of a request object that the person had not approved before. */
interface NewScopes {
  asked: readonly string[]
  granted: readonly string[]
}

/** Specification: "Signing / request-object flow" 1, newly added scopes: on refusal an error. */
const newScopeChecks: readonly Check<NewScopes>[] = [
  {
    id: 'signer/new-scopes',
    check({ asked, granted }) {
      if (asked.length === 0 || asked.some((scope) => granted.includes(scope))) return
      const { code, message } = callbackMessages['consent-declined']
      throw new BankError(code, message)
    },
  },
]

/** What may the client see? */
export function consent({
  provider,
  consents,
  people,
  seams,
}: Pick<BankContext, 'consents' | 'people' | 'provider' | 'seams'>): Page {
  /** @throws {BankError} when the person refused every scope that a request object adds */
  async function checkNewScopes({ client, person, scopes, signing }: Step, granted: string[]): Promise<void> {
    if (!signing || !person) return
    const { scopes: approved } = await consents.of(person.id, client.clientId)
    const asked = scopes.filter((scope) => ![...impliedScopes(signing), ...approved].includes(scope))
    await runChecks(newScopeChecks, { asked, granted }, seams, client.clientId)
  }

  return {
    show(step) {
      const { client, person, scopes, page, show } = step
      const required = requiredScopes(step)
      const implied = impliedOf(step)
      show(
        consentPage({
          page,
          clientName: clientNameOf(client),
          endUser: person ? displayName(person) : '',
          scopes: scopes
            .filter((name) => !implied.includes(name))
            .map((name) => ({
              name,
              claims: claimsOfScope(name),
              required: required.includes(name),
            })),
        }),
      )
    },
    async submit(step, form) {
      if (form.action !== 'approve' || !step.person) return step.end('consent-declined')
      const { client, person, scopes } = step
      const implied = impliedOf(step)
      const required = [...requiredScopes(step), ...implied]
      const ticked = [form.scope ?? []].flat()
      const granted = scopes.filter((scope) => required.includes(scope) || ticked.includes(scope))
      const refused = scopes.filter((scope) => !granted.includes(scope))
      try {
        await checkNewScopes(step, granted)
      } catch (error) {
        if (!(error instanceof BankError)) throw error
        return step.refuse(error)
      }
      const grant = new provider.Grant({ accountId: person.id, clientId: client.clientId })
      grant.addOIDCScope(granted.join(' '))
      if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
      const grantId = await grant.save()
      await people.nextLogins.begin(person.login, grantId)
      const requested = granted.filter((scope) => !implied.includes(scope))
      await consents.decide(person.id, client.clientId, { approved: requested, refused })
      return step.goOn({ consent: { grantId } })
    },
  }
}

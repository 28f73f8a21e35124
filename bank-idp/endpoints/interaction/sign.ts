import type { Person } from '../../../fixtures/people.js'
import { type Check, runChecks } from '../../checks.js'
import { clientNameOf } from '../../client.js'
import type { BankContext } from '../../context.js'
import { BankError } from '../../errors.js'
import { signPage } from '../../pages/signing.js'
import { eligibilityChecks } from '../../signing/eligibility.js'
import { lifetimeChecks } from '../../signing/lifetime-checks.js'
import { scopesOf } from '../../signing/scopes.js'
import { namedPerson, type SigningRequest } from '../../signing-request.js'
import { seamsAt } from '../../steps.js'
import type { Decision } from '../../store/audit.js'
import { signsDocuments } from '../../structured-scope.js'
import { displayName } from './display-name.js'
import type { Page, Step } from './step.js'

/**
 * An access token binds the request to its person (specification: "Signing / request-object flow"), and so does id_token_hint (OpenID
 * Connect Core section 3.1.2.1: another end-user gets an error).
 */
const boundPerson: Check<{ request: SigningRequest; person: Person }> = {
  id: 'signer/person',
  check({ request, person }) {
    if ((namedPerson(request) ?? person.id) !== person.id) {
      throw new BankError('access_denied', 'the request has to be authorized by another person')
    }
  },
}

/** What is to be authorized, and whether the person does. */
export function sign({
  provider,
  providerRecords,
  subjects,
  signingRequests,
  seams,
  policy,
}: Pick<BankContext, 'policy' | 'provider' | 'providerRecords' | 'seams' | 'signingRequests' | 'subjects'>): Page {
  function requestOf({ signing, person }: Step): { request: SigningRequest; person: Person } {
    if (!signing || !person) {
      throw new BankError('invalid_request_uri', 'request_uri is unknown').refusedBy('authorize/request-known')
    }
    return { request: signing, person }
  }

  /**
   * Decides, in one transaction with the log and with what the client is told.
   *
   * @returns what throws a BankError when it was decided before or is past its end
   */
  function decide(step: Step, result: Decision['result'], scope = '', grantId?: string) {
    const { client, acr = 'loa2', amr = [] } = step
    const { request, person } = requestOf(step)
    const decision = { result, personId: person.id, subject: subjects.of(client, person.id), acr, amr, scope }
    const judge = (now: SigningRequest) => runChecks(lifetimeChecks, now, seamsAt(seams, 'decision'), client.clientId)
    return async (store: () => Promise<unknown>) =>
      signingRequests.decide(request, decision, judge, grantId, await providerRecords.holdBack(store))
  }

  /** Why the person who is there cannot authorize the request; undefined when nothing stands against it. */
  async function ineligibility(step: Step): Promise<BankError | undefined> {
    const { client, acr = 'loa2', amr = [] } = step
    const { request, person } = requestOf(step)
    if (!signsDocuments(request.claims.structured_scope)) return undefined
    try {
      const placed = request.personId === undefined ? seams : seamsAt(seams, 'bearer')
      await runChecks(eligibilityChecks, { person, acr, amr }, placed, client.clientId)
      return undefined
    } catch (error) {
      if (error instanceof BankError) return error
      throw error
    }
  }

  /** Shows or submits, or goes back to the client with the reason why not. */
  async function orBack(step: Step, work: () => Promise<void>): Promise<void> {
    try {
      await runChecks([boundPerson], requestOf(step), seams, step.client.clientId)
      const reason = await ineligibility(step)
      await (reason ? step.refuse(reason, decide(step, 'not eligible')) : work())
    } catch (error) {
      if (!(error instanceof BankError)) throw error
      await step.refuse(error)
    }
  }

  return {
    show: (step) =>
      orBack(step, async () => {
        const { request, person } = requestOf(step)
        const { structured_scope: structuredScope } = request.claims
        const clientName = clientNameOf(step.client)
        const withFurther = policy.furtherMembers !== 'unshown'
        step.show(signPage({ page: step.page, clientName, endUser: displayName(person), structuredScope, withFurther }))
      }),
    submit: (step, form) =>
      orBack(step, async () => {
        const { request, person } = requestOf(step)
        if (form.action !== 'authorize') {
          const refusal = new BankError('access_denied', 'User declined the authorization').refusedBy('sign/declined')
          return step.refuse(refusal, decide(step, 'refused'))
        }
        const known = step.grantId === undefined ? undefined : await provider.Grant.find(step.grantId)
        const grant = known ?? new provider.Grant({ accountId: person.id, clientId: step.client.clientId })
        if (!known) grant.addOIDCScope(scopesOf(request, policy).join(' '))
        const grantId = await grant.save()
        const answer = { consent: { grantId }, sign: request.id }
        await step.goOn(answer, decide(step, 'authorized', grant.getOIDCScope(), grantId))
      }),
  }
}

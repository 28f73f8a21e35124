import { clientNameOf } from '../../client.js'
import type { BankContext } from '../../context.js'
import { type PasswordProblem, passwordAnswer } from '../../pages/password-problem.js'
import { identifyPage } from '../../pages/signing.js'
import { namedPerson } from '../../signing-request.js'
import { passwordCheck } from './check-password.js'
import { completePasswordLogin } from './complete-password-login.js'
import { initialsOf } from './display-name.js'
import type { Page, Step } from './step.js'

/** Is it the person whom the request names? Who it is need not be told: the initial identification is skipped. Nobody is authenticated yet. */
export function identify(
  context: Pick<BankContext, 'blocks' | 'config' | 'devices' | 'passwordTries' | 'people'>,
): Page {
  const { people } = context
  const check = passwordCheck(context)
  const named = ({ signing }: Step) => people.byId((signing && namedPerson(signing)) ?? '')

  function show(step: Step, problem?: PasswordProblem): void {
    const { client, page } = step
    const person = named(step)
    const clientName = clientNameOf(client)
    const initials = person ? initialsOf(person) : ''
    step.show(identifyPage({ page, clientName, initials, problem }), passwordAnswer(problem))
  }

  return {
    show: (step) => show(step),
    async submit(step, form) {
      const person = named(step)
      if (form.action === 'decline') return step.end('authentication-declined')
      if (!person) return show(step, 'wrong')
      const judgement = await check(step, person.login, form.password)
      if ('problem' in judgement) return show(step, judgement.problem)
      return completePasswordLogin(context, step, person, { identify: {} })
    },
  }
}

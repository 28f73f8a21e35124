import type { BankContext } from '../../context.js'
import { type PasswordProblem, passwordAnswer } from '../../pages/password-problem.js'
import { signInPage } from '../../pages/sign-in.js'
import { passwordCheck } from './check-password.js'
import { completePasswordLogin } from './complete-password-login.js'
import { displayName } from './display-name.js'
import type { Page, Step } from './step.js'

/** Who is it? A password reaches loa2. */
export function signIn(context: Pick<BankContext, 'blocks' | 'config' | 'devices' | 'passwordTries' | 'people'>): Page {
  const { people } = context
  const check = passwordCheck(context)

  function show({ client, page, show: send }: Step, problem?: PasswordProblem): void {
    const listed = people.introduced().map((person) => ({
      login: person.login,
      name: displayName(person),
      reason: person.reason,
    }))
    send(signInPage({ page, clientName: client.record.client_name, people: listed, problem }), passwordAnswer(problem))
  }

  return {
    show: (step) => show(step),
    async submit(step, form) {
      if (form.action === 'decline') return step.end('authentication-declined')
      const chosen = typeof form.person === 'string' ? people.byLogin(form.person) : undefined
      if (chosen) return completePasswordLogin(context, step, chosen)
      const judgement = await check(step, String(form.login ?? '').trim(), form.password)
      if ('problem' in judgement) return show(step, judgement.problem)
      return completePasswordLogin(context, step, judgement.person)
    },
  }
}

import { clientNameOf } from '../../client.js'
import type { BankContext } from '../../context.js'
import { type PasswordProblem, passwordAnswer } from '../../pages/password-problem.js'
import { reasonOf } from '../../pages/person-reason.js'
import { signInPage } from '../../pages/sign-in.js'
import { passwordCheck } from './check-password.js'
import { completePasswordLogin } from './complete-password-login.js'
import { displayName } from './display-name.js'
import type { Page, Step } from './step.js'

/** As many people as are soon read: among more of them one is searched for. */
const fewPeople = 12

/** Who is it? A password reaches loa2. */
export function signIn(context: Pick<BankContext, 'blocks' | 'config' | 'devices' | 'passwordTries' | 'people'>): Page {
  const { people } = context
  const check = passwordCheck(context)

  function show({ client, page, search: text, show: send }: Step, problem?: PasswordProblem): void {
    const { found, introduced } = people.search(text)
    const listed = introduced.map((person) => ({
      login: person.login,
      name: displayName(person),
      reason: reasonOf(person, page.language),
    }))
    const search = people.all().length > fewPeople ? { text, found } : undefined
    const clientName = clientNameOf(client)
    send(signInPage({ page, clientName, people: listed, search, problem }), passwordAnswer(problem))
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

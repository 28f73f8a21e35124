import { type LoginOptions, parameterOf } from '../../bank/authorization.js'
import { type Rule, rule } from '../../harness/rule.js'
import { type Need, toLogIn } from '../../target/needs.js'

/** One row of "Callback messages identical across banks". */
interface Row {
  slug: string
  requirement: string
  title: string
  needs: readonly Need[]
  login: LoginOptions
  code: string
  /** Undefined where no message is laid down. */
  message?: string
}

const rows: readonly Row[] = [
  {
    slug: 'authentication-declined',
    requirement: 'AUTH-29',
    title: 'A user who declines the authentication ends in access_denied with the message for it',
    needs: ['action:sign-in/decline'],
    login: { actions: { 'sign-in': 'decline' } },
    code: 'access_denied',
    message: 'User declined the authentication',
  },
  {
    slug: 'consent-declined',
    requirement: 'AUTH-30',
    title: 'A user who declines consent ends in access_denied with the message for it',
    needs: ['action:consent/refuse'],
    login: { clientMetadata: { client_name: 'Conformance consent declined' }, actions: { consent: 'refuse' } },
    code: 'access_denied',
    message: 'User declined consent',
  },
  {
    slug: 'not-eligible',
    requirement: 'AUTH-31',
    title: 'A user who is not eligible ends in eid_doesnt_exist with the message for it',
    needs: ['person:not-eligible'],
    login: { person: 'not-eligible' },
    code: 'eid_doesnt_exist',
    message: 'User not eligible',
  },
  {
    slug: 'switched-off',
    requirement: 'AUTH-48',
    title: 'A user who is switched off ends in eid_doesnt_exist with the message for it',
    needs: ['person:switched-off'],
    login: { person: 'switched-off' },
    code: 'eid_doesnt_exist',
    message: 'User disabled authentication',
  },
  {
    slug: 'unfinished',
    requirement: 'AUTH-41',
    title: 'A user who leaves the authentication unfinished ends in access_denied',
    needs: ['action:second-factor/cancel'],
    login: { parameters: { acr_values: 'loa3' }, actions: { 'second-factor': 'cancel' } },
    code: 'access_denied',
  },
]

/** The table as rules, one for each row. */
export const callbackMessages: readonly Rule[] = rows.map(({ slug, requirement, title, needs, login, code, message }) =>
  rule({
    id: `callback/${slug}`,
    requirement,
    title,
    needs: [...toLogIn, 'redirect', ...needs],
    async check({ bank, expect }) {
      const asked = await bank.authorization.try(login)
      const { response } = asked.callback
      expect(response).toHaveStatus(302)
      expect(parameterOf(asked, 'error'), 'error of the callback', response).toBe(code)
      if (message !== undefined) {
        const description = parameterOf(asked, 'error_description')
        expect(description, 'error_description of the callback', response).toBe(message)
      }
    },
  }),
)

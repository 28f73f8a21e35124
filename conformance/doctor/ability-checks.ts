import { authorization, codeOf } from '../bank/authorization.js'
import { discover } from '../bank/discovery.js'
import { requestObject, rosAddress } from '../bank/ros.js'
import { toLogIn, toSign } from '../target/needs.js'
import { personOf } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import { asTrouble, errorText, needed } from './asking.js'
import { type Check, NotChecked, Trouble } from './check.js'
import { namesUnknown } from './names.js'

const names: Check = {
  name: 'names',
  after: [],
  async look({ target }) {
    const unknown = namesUnknown(target)
    if (unknown.length === 0) return 'rules know the kinds of people and the pages'
    throw new Trouble({
      said: unknown.join('; '),
      cause: 'the name is written otherwise than rules know it, which are skipped or judge less without it',
      fix: 'correct the name in the target file; `conformance list --needs NEED` lists the rules that ask for something',
    })
  },
}

const secondFactor: Check = {
  name: 'second factor',
  after: ['person'],
  async look(context) {
    needed(context, toLogIn)
    const { conversation, target } = context
    if (target.login?.by === 'person') throw new NotChecked('somebody who logs in by hand is asked for it in a run')
    const declared = (await discover(conversation)).declared('acr_values_supported') ?? []
    if (!declared.includes('loa3')) throw new NotChecked('the bank does not declare loa3 (acr_values_supported)')
    const login = personOf(target.people, 'full')?.login
    const cause = `${login} is of kind full and does not reach loa3, which the bank declares`
    const fix =
      'give kind full to a person who has a second factor, and describe its page under login.pages; {code} stands for what login.code prints'
    const reached = async () => codeOf(await authorization(conversation, { parameters: { acr_values: 'loa3' } }))
    await asTrouble(context, reached(), (said) => ({ said, cause, fix })).catch((error: unknown) => {
      if (error instanceof TargetError) throw new Trouble({ said: error.mistakes.join('; '), cause, fix })
      throw error
    })
    return `${login} reaches loa3`
  },
}

const signingFlow: Check = {
  name: 'signing flow',
  after: ['RegistrationAuthJWT', 'keys'],
  async look(context) {
    needed(context, toSign)
    const { conversation, target } = context
    const url = rosAddress(target)
    const unheard = (said: string) => ({
      said,
      cause: `the bank does not answer POST ${url}, or lacks what a request object needs`,
      fix: "read the bank's log; if the bank has no signing flow, write `signing: { offered: false }` in the target file",
      banks: true as const,
    })
    const answer = await asTrouble(context, requestObject.try(conversation), unheard)
    if (answer.status < 300 && typeof answer.member('request_uri') === 'string')
      return `the bank takes request objects at ${url}`
    const absent = [404, 405, 501].includes(answer.status)
    throw new Trouble({
      said: `POST ${url} is refused: ${errorText(answer)}`,
      cause: absent
        ? 'the bank does not offer the signing flow, or has it at another address'
        : 'the bank does not take a good request object: the scope authorization, the encryption or the client certificate',
      fix: absent
        ? 'write `signing: { offered: false }` in the target file, or the address as signing.ros'
        : '`conformance run --only signing/request-object` shows the whole exchange',
      ...(!absent && { banks: true }),
    })
  },
}

/** What the target file promises, and what the bank may have left out. */
export const abilityChecks: readonly Check[] = [secondFactor, signingFlow]

/** What can be told without asking the bank. */
export const nameChecks: readonly Check[] = [names]

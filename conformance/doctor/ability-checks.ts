import { authorization, authorizeIn, codeOf, complete, parameterOf } from '../bank/authorization.js'
import { deviceGrant, deviceLogin } from '../bank/device.js'
import { discover } from '../bank/discovery.js'
import { endSession, endSessionAddress } from '../bank/end-session.js'
import { requestObject, rosAddress } from '../bank/ros.js'
import { signing, signingResult } from '../bank/signing.js'
import { token } from '../bank/token.js'
import { asksSomething } from '../end-user/page-words.js'
import type { HttpResponse } from '../http/http.js'
import { pagesCalled } from '../target/login-settings.js'
import { toLogIn, toSign } from '../target/needs.js'
import { personOf, type Target } from '../target/target.js'
import { TargetError, UndescribedPage } from '../target/target-error.js'
import { asTrouble, asTroubleOfPages, errorText, failureOf, needed } from './asking.js'
import { type Check, type DoctorContext, NotChecked, Trouble } from './check.js'
import { expectReachable } from './connection-checks.js'
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
    const { conversation, target } = context
    byItself(context, 'confirms it')
    const declared = (await discover(conversation)).declared('acr_values_supported') ?? []
    if (!declared.includes('loa3')) throw new NotChecked('the bank does not declare loa3 (acr_values_supported)')
    const login = personOf(target.people, 'full')?.login
    const cause = `${login} is of kind full and does not reach loa3, which the bank declares`
    const fix =
      'give kind full to a person who has a second factor, and describe its page under login.pages; {code} stands for what login.code prints'
    const reached = async () => codeOf(await authorization(conversation, { parameters: { acr_values: 'loa3' } }))
    await asTroubleOfPages(context, reached(), { cause, fix })
    return `${login} reaches loa3`
  },
}

const signingFlow: Check = {
  name: 'signing flow',
  after: ['keys', 'our address', 'second factor'],
  async look(context) {
    needed(context, toSign)
    const { conversation, target } = context
    const { ros, authorize } = target.signing ?? {}
    if (ros !== undefined) await expectReachable('signing.ros', ros, target)
    if (authorize !== undefined) await expectReachable('signing.authorize', authorize, target)
    const url = rosAddress(target)
    const unheard = (said: string) => ({
      said,
      cause: `the bank does not answer POST ${url}, or lacks what a request object needs`,
      fix: "read the bank's log; if the bank has no signing flow, write `signing: { offered: false }` in the target file",
      banks: true as const,
    })
    const answer = await asTrouble(context, requestObject.try(conversation), unheard)
    if (answer.status >= 300 || typeof answer.member('request_uri') !== 'string') throw refusedObject(url, answer)
    if (target.login?.by === 'person') return `the bank takes request objects at ${url}`
    const login = personOf(target.people, 'full')?.login
    for (const kind of ['text', 'document'] as const) {
      const signed = signing(conversation, { kind })
      await asTroubleOfPages(context, signed, {
        cause: `${login} of kind full cannot authorize, or signing.authorize is another address`,
        fix: 'describe the page under login.pages; `conformance run --only signing/authorize` shows the whole exchange',
      })
      expectSignPage(`a ${kind}`, (await signed).pages, target)
    }
    await asTrouble(context, signingResult(conversation, { kind: 'document' }), (said) => ({
      said,
      cause:
        'the bank does not give tokens for what was authorized: the client authenticates there by ES256 and with its certificate',
      fix: '`conformance run --only signing/result` shows the whole exchange',
      banks: true as const,
    }))
    return `${login} authorizes a text and a document that the bank took at ${url}, and tokens are given for it`
  },
}

/** Rules look for the page on which a person authorizes by its name, which another entry for it has not. @throws Trouble */
function expectSignPage(what: string, pages: readonly string[], { pages: described }: Target): void {
  if (pages.length === 0 || pages.includes('sign') || pagesCalled(described, 'sign').length === 0) return
  throw new Trouble({
    said: `login.pages: ${what} was authorized by the pages ${pages.join(', ')}, none of which is named sign`,
    cause: 'the page on which it is authorized has an entry of another name, as one with fields of its own needs',
    fix: 'write `as: sign` in that entry',
  })
}

function refusedObject(url: string, answer: HttpResponse): Trouble {
  const absent = [404, 405, 501].includes(answer.status)
  return new Trouble({
    said: `POST ${url} is refused: ${errorText(answer)}`,
    cause: absent
      ? 'the bank does not offer the signing flow, or has it at another address'
      : 'the bank does not take a good request object: the scope authorization, the encryption or the client certificate',
    fix: absent
      ? 'write `signing: { offered: false }` in the target file, or the address as signing.ros'
      : '`conformance run --only signing/request-object` shows the whole exchange',
    ...(!absent && { banks: true }),
  })
}

const logout: Check = {
  name: 'logout',
  after: ['our address'],
  async look(context) {
    const { conversation } = context
    byItself(context, 'logs out')
    const endpoint = await endSessionAddress(conversation)
    const browser = conversation.run.endUser.open()
    const loggedOut = async () => {
      const authorization = await authorizeIn(conversation, await complete(conversation, {}), browser)
      const { response, blockedBy } = await endSession(
        conversation,
        browser,
        await token.fresh(conversation, { authorization }),
      )
      if (!(blockedBy instanceof UndescribedPage) || !asksSomething(response)) return
      // The last page of a logout may have a form of something else, such as a search.
      const asked = await complete(conversation, { parameters: { prompt: 'none' } })
      if (parameterOf(await authorizeIn(conversation, asked, browser), 'error') !== 'login_required') throw blockedBy
    }
    await described(context, loggedOut(), 'logout/session')
    return `a person logs out at ${endpoint}`
  },
}

const device: Check = {
  name: 'device',
  after: ['our address'],
  async look(context) {
    const { conversation } = context
    byItself(context, 'confirms a device')
    if (!(await discover(conversation)).declared('grant_types_supported')?.includes(deviceGrant))
      throw new NotChecked('the bank does not declare the device grant (grant_types_supported)')
    await described(context, deviceLogin(conversation, 'openid'), 'authorization/device-grant')
    return 'a person confirms a device'
  },
}

/**
 * Goes through pages that few rules come by: that they are not described is the trouble; what the bank does wrong a rule says.
 * @throws Trouble, NotChecked
 */
async function described({ conversation }: DoctorContext, way: Promise<unknown>, rule: string): Promise<void> {
  await way.catch((error: unknown) => {
    if (error instanceof TargetError) {
      throw new Trouble({
        said: error.mistakes.join('; '),
        cause: "login.pages does not describe this page of the bank's",
        fix: `describe it under login.pages; \`conformance run --only ${rule}\` shows the whole exchange`,
      })
    }
    const said = failureOf(conversation, error)
    if (said === undefined) throw error
    throw new NotChecked(`${said}; ${rule} is about that`)
  })
}

/** @throws NotChecked where nobody logs in, or somebody by hand, who does it in a run */
function byItself(context: DoctorContext, what: string): void {
  needed(context, toLogIn)
  if (context.target.login?.by === 'person') throw new NotChecked(`somebody who logs in by hand ${what} in a run`)
}

/** What the target file promises, and what the bank may have left out. */
export const abilityChecks: readonly Check[] = [secondFactor, signingFlow, logout, device]

/** What can be told without asking the bank. */
export const nameChecks: readonly Check[] = [names]

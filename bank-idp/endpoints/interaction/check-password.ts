import type { Person } from '../../../fixtures/people.js'
import { siteOf } from '../../caller-address.js'
import { constantTimeEqual } from '../../constant-time-equal.js'
import type { BankContext } from '../../context.js'
import type { PasswordProblem } from '../../pages/password-problem.js'
import type { Counted } from '../../store/password-tries.js'
import type { Step } from './step.js'

/** How many times more wrong passwords an address may enter for all people, and all addresses for one, than one address for one. */
const together = 10

/** Bits of an IPv6 address that a subscriber who got a larger network cannot choose (RFC 6177 section 2), and how many more may come from there. */
const wider = { bits: 48, more: 10 * together }

/** Who a password belongs to, or why nobody is let in. */
type Judgement = { person: Person } | { problem: PasswordProblem }

/** Judges the passwords that people type, and holds back who tries them out. */
export function passwordCheck({
  people,
  devices,
  passwordTries,
  config,
}: Pick<BankContext, 'config' | 'devices' | 'passwordTries' | 'people'>) {
  const most = config.limits.passwordTries

  /**
   * By what a try is counted. A browser that this person signed in with before is counted by itself: what others try, from the same address
   * even, keeps nobody out of it.
   */
  async function counted({ from: { address, device } }: Step, login: string, person?: Person): Promise<Counted[]> {
    if (most === 0) return []
    // Looked up for whom there is nobody, too: nothing is to be told from how long it takes.
    const known = device === undefined ? [] : await devices.peopleOf(device)
    if (person && device !== undefined && known.some((id) => people.samePerson(id, person.id))) {
      return [{ by: ['device', login, device], most }]
    }
    const network = siteOf(address, wider.bits)
    return [
      ...(address.includes(':') ? [{ by: ['network', network], most: wider.more * most }] : []),
      { by: ['both', login, address], most },
      { by: ['address', address], most: together * most },
      { by: ['person', login], most: together * most },
    ]
  }

  /** @param login the name of a person, or what was typed in the place of one: nothing tells the two apart */
  return async (step: Step, login: string, password: unknown): Promise<Judgement> => {
    const person = people.byLogin(login)
    const same = constantTimeEqual(String(password ?? ''), person?.password ?? '')
    const right = same && person !== undefined
    const waitSeconds = await passwordTries.take(await counted(step, login, person), right)
    if (waitSeconds !== undefined) return { problem: { waitSeconds } }
    return right ? { person } : { problem: 'wrong' }
  }
}

import type { Page } from '../target/login-settings.js'
import { TargetError } from '../target/target-error.js'
import type { AuthorizationTask } from './end-user.js'

/** Tells what came of entering somebody's password; the first word counts. */
export type SignInEnd = (outcome: 'taken' | 'refused' | 'unknown') => void

/**
 * What became of the passwords of a run. A wrong one is entered once: until the bank has taken a person's password for the first time, it is
 * entered in one browser alone, and where the bank refuses it, in none after it. Accounts are locked by less than one wrong sign-in per rule.
 */
export class SignIns {
  /** By login. */
  private readonly first = new Map<string, Promise<'taken' | 'refused' | 'unknown'>>()

  /** To be called before a person's password is entered. @throws TargetError when the bank has refused it */
  async begin(login: string): Promise<SignInEnd> {
    for (;;) {
      const known = this.first.get(login)
      if (!known) return this.probe(login)
      const outcome = await known
      if (outcome === 'taken') return () => {}
      if (outcome === 'refused') throw refused(login)
      if (this.first.get(login) === known) this.first.delete(login)
    }
  }

  private probe(login: string): SignInEnd {
    let end: SignInEnd = () => {}
    this.first.set(login, new Promise((resolve) => (end = resolve)))
    return (outcome) => end(outcome)
  }
}

/** The sign-in of one visit. */
export class SignIn {
  private ended: SignInEnd = () => {}

  constructor(
    private readonly signIns: SignIns,
    private readonly task: Pick<AuthorizationTask, 'person'>,
  ) {}

  /** To be called before a page is filled in. @throws TargetError where it takes a password that the bank has refused */
  async begin(page: Page): Promise<void> {
    const { person } = this.task
    if (person && takesPassword(page)) this.ended = await this.signIns.begin(person.login)
  }

  /** Tells what came of the page that was filled in, if it took a password. */
  end(outcome: Parameters<SignInEnd>[0]): void {
    this.ended(outcome)
  }
}

/** Whether a person enters their password on a page. */
function takesPassword({ fill, steps = [] }: Page): boolean {
  const fillings = [fill, ...steps.flatMap((step) => ('fill' in step ? [step.fill] : []))]
  return fillings.flatMap(Object.values).some((value) => String(value).includes('{password}'))
}

function refused(login: string): TargetError {
  return new TargetError([
    `people: the bank refused the sign-in of ${login}, which was not tried again lest the account be locked; are the login and the password right?`,
  ])
}

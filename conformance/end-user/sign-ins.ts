import type { Page } from '../target/login-settings.js'
import type { TargetError } from '../target/target-error.js'
import type { AuthorizationTask } from './end-user.js'

/** What came of entering somebody's password; where the bank refused it, what is to be said of that. */
type Outcome = 'taken' | 'unknown' | TargetError

/** Tells the outcome; the first word counts. */
type SignInEnd = (outcome: Outcome) => void

/**
 * What became of the passwords of a run. A wrong one is entered once: until the bank has taken a person's password for the first time, it is
 * entered in one browser alone, and where the bank refuses it, in none after it. Accounts are locked by less than one wrong sign-in per rule.
 */
export class SignIns {
  /** Whether anybody came through the bank's pages and back. */
  through = false
  /** By login. */
  private readonly first = new Map<string, Promise<Outcome>>()

  /** To be called before a person's password is entered. @throws TargetError what was said when the bank refused it */
  async begin(login: string): Promise<SignInEnd> {
    for (;;) {
      const known = this.first.get(login)
      if (!known) return this.probe(login)
      const outcome = await known
      if (outcome === 'taken') return () => {}
      if (outcome !== 'unknown') throw outcome
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
    private readonly task: Pick<AuthorizationTask, 'person' | 'redirectUris' | 'endsAnywhere'>,
  ) {}

  /** To be called before a page is filled in. @throws TargetError where it takes a password that the bank has refused */
  async begin(page: Page): Promise<void> {
    const { person } = this.task
    if (person && takesPassword(page)) this.ended = await this.signIns.begin(person.login)
  }

  /** Tells that the browser came back to the service. @param pages those that it went through */
  cameBack(pages: readonly string[]): void {
    if (pages.length > 0) this.signIns.through = true
  }

  /** Whether the way has to lead back to the service, as it did before in this run. */
  hasToLeadBack(): boolean {
    const { redirectUris, endsAnywhere = false } = this.task
    return this.signIns.through && redirectUris.length > 0 && !endsAnywhere
  }

  /** Tells what came of the page that was filled in, if it took a password. */
  end(outcome: Outcome): void {
    this.ended(outcome)
  }
}

/** Whether a person enters their password on a page. */
function takesPassword({ fill, steps = [] }: Page): boolean {
  const fillings = [fill, ...steps.flatMap((step) => ('fill' in step ? [step.fill] : []))]
  return fillings.flatMap(Object.values).some((value) => String(value).includes('{password}'))
}

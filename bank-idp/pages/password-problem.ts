import type { ErrorCode } from '../errors.js'
import type { Language } from './language.js'
import { texts } from './texts.js'

/** Why a password let nobody in: it is wrong, or none is looked at for a while. */
export type PasswordProblem = 'wrong' | { waitSeconds: number }

/** What the page says of it. @param wrong what it says of a wrong one */
export function passwordAlert(problem: PasswordProblem, language: Language, wrong: string): string {
  return problem === 'wrong' ? wrong : texts[language].signIn.wait(Math.ceil(problem.waitSeconds / 60))
}

/** How a page is answered, and what the log says of it where it refuses. */
export interface PageAnswer {
  status: number
  retryAfterSeconds?: number
  refusal?: { code: ErrorCode; check: string }
}

/** How a page is answered that says it (RFC 6585 section 4). */
export function passwordAnswer(problem?: PasswordProblem): PageAnswer {
  if (problem === undefined) return { status: 200 }
  return problem === 'wrong'
    ? { status: 400, refusal: { code: 'access_denied', check: 'password/right' } }
    : {
        status: 429,
        retryAfterSeconds: problem.waitSeconds,
        refusal: { code: 'slow_down', check: 'password/tries' },
      }
}

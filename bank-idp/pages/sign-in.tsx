import { type PageContext, page as whole } from './layout.js'
import { type PasswordProblem, passwordAlert } from './password-problem.js'
import { texts } from './texts.js'

export interface SignInProps {
  page: PageContext
  clientName: string
  people: readonly { login: string; name: string; reason: string }[]
  /** Why the last try let nobody in. */
  problem?: PasswordProblem | undefined
}

/** Who is it? By login and password, or, this being a bank of invented people, by choosing one. */
export function signInPage({ page, clientName, people, problem }: SignInProps): string {
  const text = texts[page.language].signIn
  return whole(
    text.title,
    <>
      <h1>{text.heading(clientName)}</h1>
      {problem && (
        <p class="alert" role="alert" id="wrong">
          {passwordAlert(problem, page.language, text.wrong)}
        </p>
      )}
      <form id="sign-in" method="post" action={page.action}>
        <label>
          {text.login}
          <input
            type="text"
            name="login"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            aria-describedby={problem ? 'wrong' : undefined}
          />
        </label>
        <label>
          {text.password}
          <input type="password" name="password" autocomplete="current-password" />
        </label>
        <div class="actions">
          <button type="submit" class="primary" name="action" value="sign-in">
            {text.submit}
          </button>
          <button type="submit" name="action" value="decline">
            {text.decline}
          </button>
        </div>
        <h2 id="people">{text.people}</h2>
        <ul aria-labelledby="people">
          {people.map(({ login, name, reason }) => (
            <li key={login}>
              <button type="submit" class="choice" name="person" value={login}>
                {name}
                <small lang="en">{reason}</small>
              </button>
            </li>
          ))}
        </ul>
      </form>
    </>,
    page,
  )
}

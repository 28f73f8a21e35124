import { type PageContext, page as whole } from './layout.js'
import { type PasswordProblem, passwordAlert } from './password-problem.js'
import type { PersonReason } from './person-reason.js'
import { texts } from './texts.js'

export interface SignInProps {
  page: PageContext
  clientName: string
  /** Those that can be chosen by a click. */
  people: readonly { login: string; name: string; reason: PersonReason }[]
  /** Where not all are listed, or more than are soon read: what was searched for, and how many were found. */
  search?: { text: string; found: number } | undefined
  /** Why the last try let nobody in. */
  problem?: PasswordProblem | undefined
}

/** Who is it? By login and password, or, this being a bank of invented people, by choosing one. */
export function signInPage({ page, clientName, people, search, problem }: SignInProps): string {
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
        {search && (
          <div class="search">
            <label>
              {text.search}
              <input type="search" name="search" value={search.text} form="search" autocomplete="off" />
            </label>
            <button type="submit" form="search">
              {text.find}
            </button>
            <p role="status">{text.found(people.length, search.found)}</p>
          </div>
        )}
        <ul aria-labelledby="people">
          {people.map(({ login, name, reason }) => (
            <li key={login}>
              <button type="submit" class="choice" name="person" value={login}>
                {name}
                <small lang={reason.language}>{reason.text}</small>
              </button>
            </li>
          ))}
        </ul>
      </form>
      {/* It has no fields of its own: they stand among the people, in the form around them. */}
      {search && <form id="search" method="get" />}
    </>,
    page,
  )
}

import { page } from './layout.js'

export interface SignInProps {
  application: string
  /** Where the form goes. */
  action: string
  people: readonly { login: string; name: string; reason: string }[]
  /** What went wrong with the last try. */
  problem?: string
}

/** Who is it? By login and password, or, this being a bank of invented people, by choosing one. */
export function signInPage({ application, action, people, problem }: SignInProps): string {
  return page(
    'Sign in',
    <>
      <h1>Sign in to continue to {application}</h1>
      {problem && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      <form id="sign-in" method="post" action={action}>
        <label>
          Login name
          <input type="text" name="login" autocomplete="username" autocapitalize="none" spellcheck={false} />
        </label>
        <label>
          Password
          <input type="password" name="password" autocomplete="current-password" />
        </label>
        <div class="actions">
          <button type="submit" class="primary" name="action" value="sign-in">
            Sign in
          </button>
          <button type="submit" name="action" value="decline">
            Cancel
          </button>
        </div>
        <h2>Or be one of these people</h2>
        <ul>
          {people.map(({ login, name, reason }) => (
            <li key={login}>
              <button type="submit" class="choice" name="person" value={login}>
                {name}
                <small>{reason}</small>
              </button>
            </li>
          ))}
        </ul>
      </form>
    </>,
  )
}

import type { Language } from './language.js'
import { page } from './layout.js'
import { texts } from './texts.js'
import { Refresh } from './way-on.js'

interface LogOutProps {
  language: Language
  /** The person's name. */
  endUser: string
  action: string
  /** What comes back with the form: by whom it was made, and the request. */
  hidden: Record<string, string>
}

/** Asks the person whether to log out. */
export function logOutPage({ language, endUser, action, hidden }: LogOutProps): string {
  const { title, heading, signedIn, submit } = texts[language].logOut
  return page(
    title,
    <>
      <h1>{heading}</h1>
      <p>{signedIn(endUser)}</p>
      <form method="post" action={action} id="log-out">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="actions">
          <button class="primary" type="submit" name="action" value="log-out">
            {submit}
          </button>
        </div>
      </form>
    </>,
    { language },
  )
}

interface LoggedOutProps {
  language: Language
  /** What clients registered to be loaded (OpenID Connect Front-Channel Logout 1.0 section 2). */
  frames: readonly string[]
  /** Where the browser goes on its own after a moment. */
  returnTo?: string
}

/** Says that the person is logged out, and loads the clients' frames. */
export function loggedOutPage({ language, frames, returnTo }: LoggedOutProps): string {
  const { done, back, frame } = texts[language].logOut
  return page(
    done,
    <>
      <h1 id="logged-out">{done}</h1>
      {returnTo && <Refresh address={returnTo} seconds={3} text={back} />}
      {frames.map((address) => (
        <iframe key={address} src={address} title={frame} width="0" height="0" hidden />
      ))}
    </>,
    { language },
  )
}

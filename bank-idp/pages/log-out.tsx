import { page } from './layout.js'

interface LogOutProps {
  /** The person's name. */
  person: string
  action: string
  /** What comes back with the form: by whom it was made, and the request. */
  hidden: Record<string, string>
}

/** Asks the person whether to log out. */
export function logOutPage({ person, action, hidden }: LogOutProps): string {
  return page(
    'Log out',
    <>
      <h1>Log out?</h1>
      <p>You are logged in as {person}. All applications that you opened with this login will be told.</p>
      <form method="post" action={action} id="log-out">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="actions">
          <button class="primary" type="submit" name="action" value="log-out">
            Log out
          </button>
        </div>
      </form>
    </>,
  )
}

/**
 * Says that the person is logged out, and loads what the applications registered for it in frames (OpenID Connect Front-Channel Logout
 * 1.0 section 2).
 *
 * @param returnTo where the browser goes on its own after a moment
 */
export function loggedOutPage(frames: readonly string[], returnTo?: string): string {
  return page(
    'Logged out',
    <>
      <h1 id="logged-out">You are logged out</h1>
      {returnTo && (
        <>
          <meta http-equiv="refresh" content={`3;url=${returnTo}`} />
          <p>
            <a href={returnTo}>Back to the application</a>
          </p>
        </>
      )}
      {frames.map((address) => (
        <iframe key={address} src={address} title="Logs out of an application" width="0" height="0" hidden />
      ))}
    </>,
  )
}

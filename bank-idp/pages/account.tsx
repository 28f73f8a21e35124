import { type PageContext, page as whole } from './layout.js'
import { texts } from './texts.js'

export interface AccountProps {
  page: PageContext
  clientName: string
  accounts: readonly { id: string; label: string }[]
}

/** As which of their identities does the person go on? */
export function accountPage({ page, clientName, accounts }: AccountProps): string {
  const text = texts[page.language].account
  return whole(
    text.title,
    <>
      <h1>{text.heading(clientName)}</h1>
      <form id="account" method="post" action={page.action}>
        <ul>
          {accounts.map(({ id, label }) => (
            <li key={id}>
              <button type="submit" class="choice" name="account" value={id}>
                {label}
              </button>
            </li>
          ))}
        </ul>
        <div class="actions">
          <button type="submit" name="action" value="cancel">
            {text.cancel}
          </button>
        </div>
      </form>
    </>,
    page,
  )
}

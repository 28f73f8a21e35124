import { type PageContext, page as whole } from './layout.js'
import { texts } from './texts.js'

export interface SecondFactorProps {
  page: PageContext
  clientName: string
  endUser: string
  /** Whether the second factor is a code by SMS. */
  bySms: boolean
}

/** What the person has in hand confirms that it is them. */
export function secondFactorPage({ page, clientName, endUser, bySms }: SecondFactorProps): string {
  const text = texts[page.language].secondFactor
  return whole(
    text.title,
    <>
      <h1>{text.heading(clientName)}</h1>
      <p>{bySms ? text.bySms(endUser) : text.byApp(endUser)}</p>
      <form id="second-factor" method="post" action={page.action}>
        <div class="actions">
          <button type="submit" class="primary" name="action" value="confirm">
            {text.confirm}
          </button>
          <button type="submit" name="action" value="cancel">
            {text.cancel}
          </button>
        </div>
      </form>
    </>,
    page,
  )
}

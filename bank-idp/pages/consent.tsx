import { type PageContext, page as whole } from './layout.js'
import { texts } from './texts.js'

export interface ConsentProps {
  page: PageContext
  clientName: string
  endUser: string
  scopes: readonly { name: string; claims: readonly string[]; required: boolean }[]
}

/** What a client asks for. Scopes of required_scope cannot be unticked (specification: "Token kinds", rule 5). */
export function consentPage({ page, clientName, endUser, scopes }: ConsentProps): string {
  const text = texts[page.language].consent
  return whole(
    text.title,
    <>
      <h1>{text.heading(clientName)}</h1>
      <p>{text.signedIn(endUser, clientName)}</p>
      <form id="consent" method="post" action={page.action}>
        <ul>
          {scopes.map(({ name, claims, required }) => (
            <li key={name}>
              <label>
                <input type="checkbox" name="scope" value={name} checked disabled={required} />{' '}
                {text.scopes[name] ?? name}
                {required && ` (${text.required})`}
                <small lang="en">{[name, ...claims].join(', ')}</small>
              </label>
            </li>
          ))}
        </ul>
        <div class="actions">
          <button type="submit" class="primary" name="action" value="approve">
            {text.approve}
          </button>
          <button type="submit" name="action" value="refuse">
            {text.refuse}
          </button>
        </div>
      </form>
    </>,
    page,
  )
}

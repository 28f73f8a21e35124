import { page } from './layout.js'

export interface ConsentProps {
  application: string
  action: string
  person: string
  scopes: readonly { name: string; claims: readonly string[]; required: boolean }[]
}

/** What an application asks for. Scopes of required_scope cannot be unticked (specification: "Token kinds", rule 5). */
export function consentPage({ application, action, person, scopes }: ConsentProps): string {
  return page(
    'Consent',
    <>
      <h1>{application} asks for your data</h1>
      <p>
        You are signed in as {person}. You decide what {application} may see.
      </p>
      <form id="consent" method="post" action={action}>
        <ul>
          {scopes.map(({ name, claims, required }) => (
            <li key={name}>
              <label>
                <input type="checkbox" name="scope" value={name} checked disabled={required} /> {name}
                {required && ' (required)'}
                {claims.length > 0 && <small> {claims.join(', ')}</small>}
              </label>
            </li>
          ))}
        </ul>
        <div class="actions">
          <button type="submit" class="primary" name="action" value="approve">
            Agree
          </button>
          <button type="submit" name="action" value="refuse">
            Refuse
          </button>
        </div>
      </form>
    </>,
  )
}

import { createHash } from 'node:crypto'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { legible, shown } from '../../schemas/legible.js'
import type { Evidence } from '../evidence/evidence.js'
import { type Disturbance, disturbable } from './disturbances.js'

const styles = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
label { display: inline-block; margin: .25rem 1rem .25rem 0; }
input, select, button { font: inherit; padding: .3rem .5rem; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: 0 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: .4rem; padding: .5rem; }
li { overflow-wrap: anywhere; }
.alert { border-left: .3rem solid #b3261e; padding: .5rem .75rem; }
`

/** What the pages' Content-Security-Policy allows: their own styles and nothing else. */
export const styleSource = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`

function page(title: string, content: ComponentChildren): string {
  return `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{legible(title)}</title>
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        <main>{shown(content)}</main>
      </body>
    </html>,
  )}`
}

interface HomeProps {
  /** Issuers of the banks. */
  banks: readonly string[]
  scopes: readonly string[]
  loggedIn: readonly { id: string; who: string }[]
  /** Who authorized something before. */
  signers: readonly { id: string; who: string }[]
  /** Newest first. */
  received: readonly string[]
  disturbances: readonly Disturbance[]
}

function BankChoice({ banks }: Pick<HomeProps, 'banks'>) {
  return (
    <label>
      Bank{' '}
      <select name="bank">
        {banks.map((issuer) => (
          <option key={issuer} value={issuer}>
            {issuer}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Where a person begins a login or a signing, and sees what banks have sent. */
export function homePage({ banks, scopes, loggedIn, signers, received, disturbances }: HomeProps): string {
  return page(
    'Federated service',
    <>
      <h1>Federated service</h1>
      <form method="post" action="/login" id="login">
        <fieldset>
          <legend>Log in with your bank</legend>
          <BankChoice banks={banks} />
          <label>
            Service provider <input name="provider" value="Demo client" required maxLength={100} />
          </label>
          <label>
            <input type="checkbox" name="own" value="yes" /> the bank itself is the service provider
          </label>
          <label>
            Organization, for an SLA customer <input name="sep_id" maxLength={255} />
          </label>
          <div>
            {scopes.map((scope) => (
              <label key={scope}>
                <input type="checkbox" name="scope" value={scope} checked={scope === 'profile.name'} /> {scope}
              </label>
            ))}
          </div>
          <button type="submit">Log in</button>
        </fieldset>
      </form>
      <form method="post" action="/sign" id="sign">
        <fieldset>
          <legend>Sign with your bank</legend>
          <BankChoice banks={banks} />
          <label>
            Service provider <input name="provider" value="Demo client" required maxLength={100} />
          </label>
          <label>
            What{' '}
            <select name="kind">
              <option value="text">a text</option>
              <option value="document">a document of this title</option>
            </select>
          </label>
          <label>
            <input name="text" value="I agree" required maxLength={255} aria-label="Text, or title" />
          </label>
          <label>
            Who{' '}
            <select name="signer">
              <option value="">whoever comes</option>
              {signers.map(({ id, who }) => (
                <option key={id} value={id}>
                  {who}
                </option>
              ))}
            </select>
          </label>
          <button type="submit">Sign</button>
        </fieldset>
      </form>
      <h2>Logged in</h2>
      <ul id="logged-in">
        {loggedIn.map(({ id, who }) => (
          <li key={id}>
            <form method="post" action="/logout">
              {who}{' '}
              <button type="submit" name="login" value={id}>
                Log out
              </button>
            </form>
          </li>
        ))}
      </ul>
      <h2>Received from banks</h2>
      <ol id="received">
        {received.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <h2>Answer with errors or delays</h2>
      <ul>
        {disturbances.map(({ path, status, delay, times }) => (
          <li key={path}>
            {path}:{' '}
            {[status && `status ${status}`, delay > 0 && `${delay} s late`, times && `${times} times`]
              .filter(Boolean)
              .join(', ')}
          </li>
        ))}
      </ul>
      <form method="post" action="/disturbances" id="disturbances">
        <label>
          Path{' '}
          <select name="path">
            {disturbable.map((path) => (
              <option key={path}>{path}</option>
            ))}
          </select>
        </label>
        <label>
          Status <input name="status" size={4} />
        </label>
        <label>
          Delay in seconds <input name="delay" size={4} />
        </label>
        <label>
          Times <input name="times" size={4} />
        </label>
        <button type="submit">Set</button>{' '}
        <button type="submit" name="end" value="yes">
          End
        </button>
      </form>
    </>,
  )
}

function summaryOf(item: Evidence): string {
  if (item.kind === 'exchange') {
    return `${item.request.method} ${item.request.url}: ${item.response?.status ?? item.failure}`
  }
  return item.kind === 'opened' ? item.what : item.kind
}

/** How a login ended, with all that was said on the way; secrets are masked. */
export function outcomePage(
  title: string,
  problem: string | undefined,
  claims: Record<string, unknown>,
  evidence: readonly Evidence[],
): string {
  return page(
    title,
    <>
      <h1>{title}</h1>
      {problem && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      {Object.entries(claims).map(([name, value]) => (
        <section key={name}>
          <h2>{name}</h2>
          <pre>{JSON.stringify(value, null, 2)}</pre>
        </section>
      ))}
      <p>
        <a href="/">Back</a>
      </p>
      {evidence.length > 0 && <h2>Between the service and the bank</h2>}
      {evidence.map((item) => (
        <details key={item.id}>
          <summary>{summaryOf(item)}</summary>
          <pre>{JSON.stringify(item, null, 2)}</pre>
        </details>
      ))}
    </>,
  )
}

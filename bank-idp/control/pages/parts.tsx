import type { ComponentChildren } from 'preact'
import { root } from './layout.js'

/** A value as it is read: text as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** More characters than are read: a value that is longer is there when it is asked for. */
const longest = 400

function Value({ of }: { of: unknown }) {
  const text = textOf(of)
  if (text.length <= longest) return <>{text}</>
  return (
    <details>
      <summary>{`${text.slice(0, 40)}… (${text.length} characters)`}</summary>
      {text}
    </details>
  )
}

/** Members with their values. */
export function Pairs({ of }: { of: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="pairs">
      {Object.entries(of)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <Value of={value} />
            </dd>
          </>
        ))}
    </dl>
  )
}

export const clientAddress = (id: string) => `${root}/clients/${encodeURIComponent(id)}`

export function ClientLink({ id, name }: { id: string; name?: string | undefined }) {
  return <a href={clientAddress(id)}>{name === undefined || name === id ? id : `${name} (${id.slice(0, 8)})`}</a>
}

export function PersonLink({ login }: { login: string }) {
  return <a href={`${root}/people/${encodeURIComponent(login)}`}>{login}</a>
}

/** A list, or that there is nothing in it. */
export function Rows({ children, empty }: { children: ComponentChildren[]; empty: string }) {
  return children.length === 0 ? <p>{empty}</p> : <ul class="rows">{children}</ul>
}

/** A search by an address, without a script. */
export function Search({ label, value }: { label: string; value: string }) {
  return (
    <form method="get" class="search">
      <label>
        {label}
        <input type="search" name="search" value={value} autocomplete="off" />
      </label>
      <button type="submit">Search</button>
    </form>
  )
}

/** A time of the bank without its day, to read. */
export function timeOfDay(iso: string): string {
  return iso.slice(11, 19)
}

import { page } from './layout.js'

/** What a bank says of itself to who comes to its address. */
export interface Landing {
  /** The bank's address. */
  issuer: string
  /** Of the specification. */
  edition: string
  /** Addresses of what is to be read, by what it is. */
  links: Record<'discovery' | 'keys' | 'health' | 'documentation', string>
  /** Who can log in; passwords only where everybody may know them. */
  people: readonly { login: string; password?: string; name: string; reason: string }[]
  /** Further people, who are not listed. */
  further: number
  /** Lines for a terminal, and what each is good for. */
  begin: readonly { line: string; what: string }[]
}

const linkTexts: Record<keyof Landing['links'], string> = {
  discovery: 'What it can do, and where (discovery)',
  keys: 'Its public keys',
  health: 'Whether it works (health check)',
  documentation: 'For developers',
}

/** What this bank is, and how to begin. */
export function landingPage({ issuer, edition, links, people, further, begin }: Landing): string {
  return page(
    'A bank to test with',
    <>
      <h1>A bank to test with</h1>
      <p>
        This is the identity provider of an invented bank, at <code>{issuer}</code>. It follows edition {edition} of the
        interface specification for banks of a federated identity service. Applications send people here to log in.
      </p>
      <ul>
        {Object.entries(linkTexts).map(([name, text]) => (
          <li key={name}>
            <a href={links[name as keyof Landing['links']]}>{text}</a>
          </li>
        ))}
      </ul>
      <h2>To begin</h2>
      {begin.map(({ line, what }) => (
        <>
          <p>{what}</p>
          <pre>{line}</pre>
        </>
      ))}
      <h2 id="people">Who can log in</h2>
      <ul aria-labelledby="people">
        {people.map(({ login, password, name, reason }) => (
          <li key={login}>
            {name}
            <br />
            <code>{password === undefined ? login : `${login} / ${password}`}</code>
            <br />
            <small>{reason}</small>
          </li>
        ))}
      </ul>
      {further > 0 && <p>There are {further} more: the sign-in page finds them.</p>}
    </>,
  )
}

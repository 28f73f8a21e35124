import { landingTexts } from './landing-texts.js'
import type { Language } from './language.js'
import { page } from './layout.js'
import type { PersonReason } from './person-reason.js'

/** What a bank says of itself to who comes to its address. */
export interface Landing {
  /** The bank's address. */
  issuer: string
  /** Of the specification. */
  edition: string
  /** Addresses of what is to be read, by what it is. */
  links: Record<'discovery' | 'keys' | 'health' | 'documentation', string>
  /** Who can log in; passwords only where everybody may know them. */
  people: readonly { login: string; password?: string; name: string; reason: PersonReason }[]
  /** Further people, who are not listed. */
  further: number
  /** Lines for a terminal, and what each is good for. */
  begin: readonly { line: string; what: string }[]
}

/** What this bank is, and how to begin. */
export function landingPage({ issuer, edition, links, people, further, begin }: Landing, language: Language): string {
  const text = landingTexts[language]
  return page(
    text.title,
    <>
      <h1>{text.title}</h1>
      <p>
        {text.what} <code>{issuer}</code>. {text.follows(edition)}
      </p>
      <ul>
        {Object.entries(text.links).map(([name, told]) => (
          <li key={name}>
            <a href={links[name as keyof Landing['links']]}>{told}</a>
          </li>
        ))}
      </ul>
      <h2>{text.begin}</h2>
      {begin.map(({ line, what }) => (
        <>
          <p>{what}</p>
          <pre>{line}</pre>
        </>
      ))}
      <h2 id="people">{text.people}</h2>
      <ul aria-labelledby="people">
        {people.map(({ login, password, name, reason }) => (
          <li key={login}>
            {name}
            <br />
            <code>{password === undefined ? login : `${login} / ${password}`}</code>
            <br />
            <small lang={reason.language}>{reason.text}</small>
          </li>
        ))}
      </ul>
      {further > 0 && <p>{text.further(further)}</p>}
    </>,
    { language },
  )
}

import type { Language } from './language.js'
import { page } from './layout.js'

/** A document for readers: headings, each with its paragraphs. */
export interface Document {
  title: string
  sections: { heading: string; paragraphs: string[] }[]
}

export function documentPage({ title, sections }: Document, language: Language): string {
  return page(
    title,
    <>
      <h1>{title}</h1>
      {sections.map(({ heading, paragraphs }) => (
        <section>
          <h2>{heading}</h2>
          {paragraphs.map((text) => (
            <p>{text}</p>
          ))}
        </section>
      ))}
    </>,
    { language },
  )
}

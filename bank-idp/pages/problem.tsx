import { page } from './layout.js'

/** A page for a person whose browser is where nothing can go on. */
export function problemPage(title: string, advice: string, language = 'en'): string {
  return page(
    title,
    <>
      <h1>{title}</h1>
      <p>{advice}</p>
    </>,
    language,
  )
}

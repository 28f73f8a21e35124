import type { Language } from './language.js'
import { page } from './layout.js'
import { texts } from './texts.js'

export interface ProblemProps {
  language: Language
  problem: keyof (typeof texts)[Language]['problems']
  /** What exactly is wrong, for developers. */
  detail?: string
}

/** A page for a person whose browser is where nothing can go on. */
export function problemPage({ language, problem, detail }: ProblemProps): string {
  const { title, advice } = texts[language].problems[problem]
  return page(
    title,
    <>
      <h1>{title}</h1>
      <p>{advice}</p>
      {detail && (
        <p>
          <small>
            {texts[language].forDevelopers} <span lang="en">{detail}</span>
          </small>
        </p>
      )}
    </>,
    { language },
  )
}

import type { AnsweredPage } from '../answered-pages.js'
import type { Language } from './language.js'
import { page } from './layout.js'
import { problemPage } from './problem.js'
import { texts } from './texts.js'

interface OverProps {
  language: Language
  /** What was done at the page; undefined where nobody knows of it. */
  answered: AnsweredPage | undefined
}

/** In place of a page of a login that is over: what happened there, where it was answered. */
export function overPage({ language, answered }: OverProps): string {
  if (!answered) return problemPage({ language, problem: 'over' })
  const { ended, goneOn, goneBack, ...done } = texts[language].answered
  const title = answered.ended ? ended : done[answered.page]
  return page(
    title,
    <>
      <h1 id="answered">{title}</h1>
      <p>{(answered.ended ? goneBack : goneOn)(answered.clientName)}</p>
    </>,
    { language },
  )
}

import { createHash } from 'node:crypto'
import { textOfPage } from './page-text.js'

/** The sources of the pages that a report shows as text, each kept once. */
export class Sources {
  private readonly kept = new Map<string, string>()
  private readonly texts = new Map<string, string>()

  /** Keeps a source, and gives the id of the place where the report has it. */
  anchorOf(source: string): string {
    const anchor = `source-${createHash('sha256').update(source).digest('hex').slice(0, 16)}`
    this.kept.set(anchor, source)
    return anchor
  }

  /** What a reader of the page sees, found out once. */
  textOf(source: string): string {
    const text = this.texts.get(source) ?? `The page says:\n${textOfPage(source)}`
    this.texts.set(source, text)
    return text
  }

  all(): [anchor: string, source: string][] {
    return [...this.kept]
  }
}

/** To be rendered after everything that shows a page. */
export function SourcesView({ sources }: { sources: Sources }) {
  const all = sources.all()
  if (all.length === 0) return null
  return (
    <details class="part">
      <summary>
        <h2>Sources of pages</h2>
      </summary>
      {all.map(([anchor, source]) => (
        <pre key={anchor} id={anchor}>
          {source}
        </pre>
      ))}
    </details>
  )
}

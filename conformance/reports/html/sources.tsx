import { createHash } from 'node:crypto'
import { load } from 'cheerio'

/** The sources of the pages that a report shows as text, each kept once. */
export class Sources {
  private readonly kept = new Map<string, string>()

  /** Keeps a source, and gives the id of the place where the report has it. */
  anchorOf(source: string): string {
    const anchor = `source-${createHash('sha256').update(source).digest('hex').slice(0, 16)}`
    this.kept.set(anchor, source)
    return anchor
  }

  /** What a reader of the page sees, a line for each part. */
  textOf(source: string): string {
    const document = load(source)
    document('script, style, template').remove()
    document('p, h1, h2, h3, h4, li, label, legend, button, dt, dd, div, title, br').append('\n')
    return `The page says:\n${document
      .root()
      .text()
      .replace(/[^\S\n]+/g, ' ')
      .replace(/\s*\n\s*/g, '\n')
      .trim()}`
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

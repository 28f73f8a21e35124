import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { legible, shown } from '../../../schemas/legible.js'
import { styles } from './styles.js'

interface BenchPage {
  title: string
  content: ComponentChildren
  /** What can be gone to; empty for who is not let in. */
  sections: readonly { path: string; name: string }[]
  /** The path of the section that this is. */
  current?: string | undefined
  /** What was done just now. */
  done?: string | undefined
}

/** Below which path of the control door the bench is. */
export const root = '/bench'

/** A page of the bench as HTML text. What is interpolated is escaped; of what it shows, nothing is invisible. */
export function benchPage({ title, content, sections, current, done }: BenchPage): string {
  return `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${legible(title)} · Bench`}</title>
        <style dangerouslySetInnerHTML={{ __html: styles }} />
        <script src={`${root}/live.js`} defer />
      </head>
      <body>
        <header>
          <div>
            <p class="bank">Reference Bank: the bench</p>
            {sections.length > 0 && (
              <nav aria-label="Bench">
                <ul>
                  {sections.map(({ path, name }) => (
                    <li key={path}>
                      <a href={root + path} aria-current={path === current ? 'page' : undefined}>
                        {name}
                      </a>
                    </li>
                  ))}
                </ul>
              </nav>
            )}
          </div>
        </header>
        <main>
          <h1>{legible(title)}</h1>
          {done !== undefined && (
            <p class="done" role="status">
              Done. {done}
            </p>
          )}
          {shown(content)}
        </main>
      </body>
    </html>,
  )}`
}

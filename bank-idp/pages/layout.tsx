import { createHash } from 'node:crypto'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { legible, shown } from '../../schemas/legible.js'
import type { Language } from './language.js'
import { texts } from './texts.js'

/** Styles of all pages; the Content-Security-Policy names them by hash, so pages carry no other style and no script. */
export const styles = `
:root { color-scheme: light dark; --accent: #0b57a4; --on-accent: #fff; --muted: color-mix(in srgb, CanvasText 75%, Canvas); --line: color-mix(in srgb, currentColor 25%, transparent); --alert: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --accent: #8ab8ff; --on-accent: #06203f; --alert: #ffb4ab; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
label { display: block; margin: .75rem 0; }
input[type=text], input[type=password], input[type=search] { display: block; width: 100%; padding: .6rem; font: inherit; border: 1px solid var(--muted); border-radius: .4rem; }
button { font: inherit; padding: .6rem 1rem; border: 1px solid var(--accent); border-radius: .4rem; background: transparent; color: var(--accent); cursor: pointer; }
button.primary { background: var(--accent); color: var(--on-accent); }
button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
ul { list-style: none; padding: 0; margin: 0; }
li { border-top: 1px solid var(--line); padding: .5rem 0; }
small { color: var(--muted); }
pre { margin: 0; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: .4rem; white-space: pre-wrap; overflow-wrap: anywhere; }
code { overflow-wrap: anywhere; }
a { color: var(--accent); }
.choice { width: 100%; text-align: left; border: 0; padding: .25rem 0; }
.choice small, li label small { display: block; }
li label small { margin-left: 1.6rem; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; }
dl { margin: 0; }
dt { font-size: .85rem; opacity: .8; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
dl.facts dd, dl.fields dt, dl.fields dd { white-space: pre-wrap; }
.alert { border-left: .3rem solid var(--alert); padding: .5rem .75rem; }
.bank { color: var(--accent); font-weight: 600; margin: 0 0 1.5rem; }
.popup main { max-width: 26rem; padding-top: .75rem; }
.popup .bank { margin-bottom: .5rem; }
.search { display: flex; flex-wrap: wrap; align-items: end; gap: 0 .75rem; margin-bottom: .75rem; }
.search label { flex: 1 1 12rem; }
.search button { margin: .75rem 0; }
.search p { flex-basis: 100%; margin: 0; color: var(--muted); }
.touch button, .touch input[type=text], .touch input[type=search], .touch input[type=password] { min-height: 3rem; font-size: 1.125rem; }
.touch input[type=checkbox] { width: 1.5rem; height: 1.5rem; }
.touch .actions { flex-direction: column; }
`

/** The styles as a Content-Security-Policy names them. */
export const styleHash = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`
/** What a page has in common with the others of its authorization. */
export interface PageContext {
  language: Language
  /** page, popup or touch (OpenID Connect Core section 3.1.2.1). */
  display: string
  /** Where its form goes. */
  action: string
}

interface LayoutProps {
  language: Language
  display?: string
  title: string
  children: ComponentChildren
}

function Layout({ language, display, title, children }: LayoutProps) {
  const { bank } = texts[language]
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${bank}`}</title>
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body class={display}>
        <main>
          <p class="bank">{bank}</p>
          {children}
        </main>
      </body>
    </html>
  )
}

/** A whole page as HTML text. What is interpolated is escaped; of what it shows, nothing is invisible. */
export function page(
  title: string,
  content: ComponentChildren,
  { language, display }: Pick<LayoutProps, 'language' | 'display'> = { language: 'en' },
): string {
  return `<!doctype html>${renderToString(
    <Layout title={legible(title)} language={language} display={display}>
      {shown(content)}
    </Layout>,
  )}`
}

import { createHash } from 'node:crypto'
import { styles as common } from '../../pages/layout.js'

/** Styles of the bench: those of all pages, and what a page of many things needs beyond them. */
export const styles = `${common}
main { max-width: 70rem; overflow-wrap: anywhere; }
header { border-bottom: 1px solid var(--line); }
header > div { max-width: 70rem; margin: 0 auto; padding: .75rem 1rem; }
header p { margin: 0 0 .25rem; }
nav ul, .rows .facts { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav li { border: 0; padding: 0; }
nav a { display: inline-block; padding: .4rem 0; }
nav a[aria-current] { color: CanvasText; font-weight: 600; text-decoration: none; border-bottom: 3px solid var(--accent); }
a:focus-visible, select:focus-visible, textarea:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h2, h3 { overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
section { margin-top: 2rem; }
form { margin: .5rem 0; }
.inline { display: inline-block; margin: .25rem .5rem .25rem 0; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 0 1rem; }
.fields label { overflow-wrap: anywhere; margin: .75rem 0 .25rem; }
.fields + button { margin-top: .75rem; }
.search label:has([type=checkbox]) { flex: 0 0 auto; }
.fields small { display: block; }
input[type=number], select, textarea { display: block; width: 100%; padding: .6rem; font: inherit; color: inherit; background: Field; border: 1px solid var(--muted); border-radius: .4rem; }
textarea { min-height: 5rem; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; padding: 0 1rem 1rem; margin: 1rem 0; min-width: 0; }
legend { padding: 0 .4rem; font-weight: 600; }
button.danger { border-color: var(--alert); color: var(--alert); }
.rows > li { overflow-wrap: anywhere; }
.request { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: 0 .75rem; }
.request .why { grid-column: 2; }
.refused { border-left: .3rem solid var(--alert); padding-left: .6rem; }
.good { border-left: .3rem solid var(--line); padding-left: .6rem; }
.why { color: var(--alert); }
h4 { font-size: .9rem; margin: .75rem 0 .25rem; color: var(--muted); }
.done { border-left: .3rem solid var(--accent); padding: .5rem .75rem; }
.on { font-weight: 600; color: var(--alert); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; }
dl.pairs { display: grid; grid-template-columns: minmax(6rem, 16rem) minmax(0, 1fr); gap: .1rem 1rem; }
dl.pairs dt { opacity: 1; color: var(--muted); overflow-wrap: anywhere; }
dl.pairs dd { margin: 0; white-space: pre-wrap; }
.mismatch { color: var(--alert); font-weight: 600; }
details > summary { cursor: pointer; padding: .4rem 0; }
@media (max-width: 40rem) { dl.pairs, .request { grid-template-columns: minmax(0, 1fr); } dl.pairs dd { margin-bottom: .4rem; } .request .why { grid-column: 1; } }
`

/** The styles as a Content-Security-Policy names them. */
export const styleHash = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`

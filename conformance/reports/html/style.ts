/** The style of the HTML report: light and dark, wide and narrow, screen and paper. */
export const style = `
:root { color-scheme: light dark; --page: #fff; --ink: #1b1f24; --line: #c8ccd2; --soft: #f3f5f7; --quiet: #55606d; --link: #0b57a4;
  --pass: #1a6b34; --attested: #1f5f8b; --waived: #7a4d00; --fail: #b3261e; --warn: #7a4d00; --observed: #0b5c6b; --skip: #55606d; --blocked: #8a2c5d; --error: #6a35a8; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #16191d; --ink: #e8ebee; --line: #454c55; --soft: #22272e; --quiet: #a9b4c0; --link: #8ab8ff;
  --pass: #7bd99a; --attested: #8cc4ec; --waived: #f0c060; --fail: #ff9d94; --warn: #f0c060; --observed: #7fd4e6; --skip: #a9b4c0; --blocked: #f2a3cb; --error: #cdb0ff; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 7.5rem; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: var(--page); color: var(--ink); }
main, header { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; } header dl { font-size: .875rem; }
main { padding-bottom: 2rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 1.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
a { color: var(--link); }
a.to-content { position: absolute; left: -100rem; }
a.to-content:focus { left: 1rem; top: .5rem; background: var(--page); color: var(--link); padding: .5rem; z-index: 2; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.verdict { font-size: 1.15rem; font-weight: 600; margin: .5rem 0; }
.partial { border-left: .4rem solid var(--fail); padding: .5rem .75rem; background: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
.filters { position: sticky; top: 0; background: var(--page); padding: .5rem 0; border-bottom: 1px solid var(--line); z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.filters label { display: flex; gap: .5rem; align-items: center; flex: 1 1 14rem; }
.filters input { font: inherit; padding: .4rem .5rem; flex: 1; min-width: 0; border: 1px solid var(--quiet); border-radius: .3rem; background: transparent; color: inherit; }
.filters button { font: inherit; padding: .35rem .7rem; border: 1px solid var(--quiet); border-radius: 1rem; background: transparent; color: inherit; cursor: pointer; }
.filters button[aria-pressed=true] { background: var(--soft); border-width: 2px; font-weight: 600; }
.filters p { margin: 0; color: var(--quiet); }
.no-script .filters { display: none; }
.map { columns: 21rem; column-gap: 1.5rem; } .map > div { break-inside: avoid; margin-bottom: .4rem; }
.map h3 { font-size: .85rem; font-weight: 600; color: var(--quiet); }
.map ul { list-style: none; display: flex; flex-wrap: wrap; gap: 2px; margin: .15rem 0 0; padding: 0; }
.cell { display: block; min-width: 3rem; padding: 0 .15rem; border-radius: .2rem; font-size: .65rem; line-height: 1.4rem; text-align: center; text-decoration: none; background: var(--soft); color: var(--quiet); }
.cell.pass { background: var(--pass); } .cell.attested { background: var(--attested); } .cell.waived { background: var(--waived); } .cell.fail { background: var(--fail); font-weight: 700; } .cell.warn { background: var(--warn); }
.cell.observed { background: var(--observed); } .cell.skip { background: var(--skip); } .cell.blocked { background: var(--blocked); } .cell.error { background: var(--error); } a.cell, .legend .cell[class*=' '] { color: var(--page); }
.legend { display: flex; flex-wrap: wrap; gap: 2px .3rem; align-items: center; margin: .2rem 0 .4rem; font-size: .85rem; color: var(--quiet); } .legend .cell { padding: 0 .4rem; }
.index { columns: 22rem; column-gap: 1.5rem; font-size: .875rem; line-height: 1.4; margin: 0 0 .75rem; }
.index p { margin: 0; break-inside: avoid; overflow-wrap: anywhere; }
details.part > summary > h2 { display: inline; margin: 0; }
details.part { margin: 1rem 0; }
details.card { border: 1px solid var(--line); border-radius: .3rem; margin: 0 0 1px; }
details.card > summary { display: flex; gap: .5rem; padding: 0 .6rem; color: inherit; align-items: baseline; line-height: 1.42rem; }
details.card > summary .status { min-width: 4.5rem; font-size: .875rem; }
details.card > summary .line { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: .875rem; }
.explains { white-space: nowrap; font-size: .875rem; color: var(--quiet); }
article { scroll-margin-top: 3rem; }
.others { margin: .25rem 0; padding-left: 1.25rem; font-size: .875rem; } .others li { overflow-wrap: anywhere; scroll-margin-top: 3rem; }
.told { display: flex; flex-wrap: wrap; gap: 0 1.5rem; } .told > dl { flex: 2 1 24rem; min-width: 0; align-content: start; }
svg.sequence { flex: 1 1 18rem; width: 100%; max-width: 30rem; align-self: start; }
.sequence text { font-size: 9.5px; fill: var(--ink); } .sequence .actor { font-size: 11px; font-weight: 700; }
.sequence .lane { stroke: var(--line); stroke-width: 1; } .sequence .arrow line { stroke: var(--quiet); stroke-width: 1.2; } .sequence .arrow path { fill: var(--quiet); }
.sequence .changed line { stroke: var(--warn); stroke-width: 2; } .sequence .changed path, .sequence .changed text { fill: var(--warn); font-weight: 700; }
.sequence .judged line { stroke: var(--fail); stroke-width: 2; } .sequence .judged path, .sequence .judged text { fill: var(--fail); font-weight: 700; }
.status { font-weight: 700; display: inline-block; min-width: 5rem; }
.pass { color: var(--pass); } .attested { color: var(--attested); } .waived { color: var(--waived); } .fail { color: var(--fail); } .warn { color: var(--warn); } .observed { color: var(--observed); }
.skip { color: var(--skip); } .blocked { color: var(--blocked); } .error { color: var(--error); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
article { padding: .25rem 1rem .75rem; border-top: 1px solid var(--line); }
article p { margin: .5rem 0; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: .75rem; background: var(--soft); border-radius: .3rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
article img { max-width: 100%; height: auto; border: 1px solid var(--line); margin-top: .5rem; }
code { font-size: .9em; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--link); padding: .2rem 0; overflow-wrap: anywhere; }
ul { overflow-wrap: anywhere; }
ol.rules { list-style: none; margin: 0; padding: 0; }
ol.rules li { display: grid; grid-template-columns: 5.5rem minmax(12rem, 20rem) 9rem 1fr; gap: .1rem .75rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
ol.rules li > * { overflow-wrap: anywhere; min-width: 0; }
ol.rules .more { grid-column: 2 / -1; color: var(--quiet); }
[hidden] { display: none !important; }
@media (min-width: 60rem) { header dl { grid-template-columns: max-content 1fr max-content 1fr; } }
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; } dt { margin-top: .35rem; }
  ol.rules li { grid-template-columns: 1fr 1fr; } ol.rules li > * { grid-column: 1 / -1; } ol.rules li > .status, ol.rules li > .requirement { grid-column: auto; grid-row: 1; }
  ol.rules .more { grid-column: 1 / -1; }
  .filters { position: static; } html { scroll-padding-top: 0; }
  details.card > summary { flex-wrap: wrap; gap: 0 .5rem; } details.card > summary .line { flex: 1 1 100%; order: 1; white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
  .coverage, .coverage tbody, .coverage tr { display: block; } .coverage thead, .coverage td:empty { display: none; } .coverage tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  .coverage th { display: block; border: 0; padding: 0; } .coverage td { display: inline-block; border: 0; padding: 0 1rem 0 0; } .coverage td::before { content: attr(data-name) ' '; }
}
@media print { :root { color-scheme: light; } .filters, a.to-content { display: none; } body { font-size: 10pt; } details.card, ol.rules li, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } pre { border: 1px solid var(--line); background: none; } }
`

import { createHash } from 'node:crypto'
import { renderToString } from 'preact-render-to-string'
import { legible, shown } from '../../../schemas/legible.js'
import { agreedInWords, readingInWords, type Status, statuses } from '../../harness/result.js'
import type { Results } from '../../harness/results.js'
import { remarksOn } from '../remarks.js'
import { verdictOf } from '../verdict.js'
import { Attention } from './attention.js'
import { Coverage } from './coverage.js'
import { EveryRule } from './every-rule.js'
import { MapView } from './map.js'
import { script } from './script.js'
import { Sources, SourcesView } from './sources.js'
import { style } from './style.js'

/** The report as one HTML file that needs nothing else: no server, no network, no script to be read. */
export function htmlReport(results: Results): string {
  return `<!doctype html>${renderToString(<Report results={results} />)}\n`
}

/** The gravest first. */
const order: readonly Status[] = ['fail', 'error', 'blocked', 'waived', 'warn', 'observed', 'skip', 'attested', 'pass']

function Report({ results }: { results: Results }) {
  return (
    <html lang="en" class="no-script">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content={`default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; img-src data:`}
        />
        <title>{legible(`Conformance of ${results.issuer}`)}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>{shown(<Content results={results} />)}</body>
    </html>
  )
}

/** What the page shows: much of it the bank wrote. */
function Content({ results }: { results: Results }) {
  const { issuer, partial, notRun, counts } = results
  const sources = new Sources()
  return (
    <>
      <a class="to-content" href="#attention">
        To what needs attention
      </a>
      <header>
        <h1>Conformance of {issuer}</h1>
        <p class="verdict">{verdictOf(results)}</p>
        {remarksOn(results).map((remark) => (
          <p key={remark}>{remark}</p>
        ))}
        {partial && (
          <p class="partial" role="note">
            This report is partial: the run ended early, and {notRun.length} rules have no result.
          </p>
        )}
        <Facts results={results} />
      </header>
      <main>
        <MapView results={results} />
        <Filters counts={counts} />
        <Attention results={results} sources={sources} />
        <details class="part">
          <summary>
            <h2>In numbers, by section</h2>
          </summary>
          <Coverage results={results} />
        </details>
        <details class="part">
          <summary>
            <h2>What was agreed with the bank</h2>
          </summary>
          <AgreedView results={results} />
        </details>
        <details class="part">
          <summary>
            <h2>Readings that the bank took</h2>
          </summary>
          <Readings results={results} />
        </details>
        <EveryRule results={results} />
        <SourcesView sources={sources} />
      </main>
      <script dangerouslySetInnerHTML={{ __html: script }} />
    </>
  )
}

function Filters({ counts }: Pick<Results, 'counts'>) {
  return (
    <search class="filters">
      <label>
        Find <input type="search" placeholder="rule, requirement, words" />
      </label>
      {order
        .filter((status) => counts[status] > 0)
        .map((status) => (
          <button key={status} type="button" value={status} aria-pressed="false">
            <span class={status}>{status}</span> {counts[status]}
          </button>
        ))}
      <p role="status" />
    </search>
  )
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function Facts({ results }: { results: Results }) {
  const { edition, harness, started, milliseconds, seed, files, counts } = results
  const {
    parts,
    selection: { only, skip, shard },
  } = results
  const patterns = [...only, ...skip.map((pattern) => `!${pattern}`)].join(' ') || 'all rules'
  const facts: [string, string | undefined][] = [
    ['Results', statuses.flatMap((status) => (counts[status] > 0 ? `${counts[status]} ${status}` : [])).join(', ')],
    ['Edition of the specification', edition],
    ['Begun', started],
    ['Took', `${(milliseconds / 1000).toFixed(1)} s`],
    ['Target file', files?.target],
    ['Selection', shard ? `${patterns}, part ${shard}` : patterns],
    [
      'Merged of',
      parts
        ?.map((part) => `${part.shard} (${part.rules.length} rules, ${(part.milliseconds / 1000).toFixed(1)} s)`)
        .join(', '),
    ],
    ['Seed', seed],
    ['Made by', `${harness.name} ${harness.version}`],
  ]
  return (
    <dl>
      {facts.map(
        ([name, text]) =>
          text && (
            <>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </>
          ),
      )}
    </dl>
  )
}

function AgreedView({ results: { agreed } }: { results: Results }) {
  if (agreed.length === 0) return <p>Nothing: no rule needed a client.</p>
  return (
    <ul>
      {agreed.map((one) => (
        <li key={one.what}>{agreedInWords(one)}</li>
      ))}
    </ul>
  )
}

function Readings({ results: { readings } }: { results: Results }) {
  if (readings.length === 0) return <p>None was seen.</p>
  return (
    <ul>
      {readings.map((reading) => (
        <li key={`${reading.ambiguity} ${reading.reading}`}>
          {readingInWords(reading)} — seen by {reading.rules.join(', ')}
        </li>
      ))}
    </ul>
  )
}

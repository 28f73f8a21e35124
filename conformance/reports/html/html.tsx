import { createHash } from 'node:crypto'
import { renderToString } from 'preact-render-to-string'
import { type RuleResult, readingInWords, type Status, statuses } from '../../harness/result.js'
import type { Results } from '../../harness/results.js'
import { cardsOf, decisiveEvidence, explainedOf, isExplained, openedBeside } from '../card.js'
import { coverageBySection } from '../coverage.js'
import { remarksOn } from '../remarks.js'
import { skipsByReason } from '../skips.js'
import { CardView } from './card.js'
import { script } from './script.js'
import { style } from './style.js'

/** The report as one HTML file that needs nothing else: no server, no network, no script to be read. */
export function htmlReport(results: Results): string {
  return `<!doctype html>${renderToString(<Report results={results} />)}\n`
}

/** The gravest first. */
const order: readonly Status[] = ['fail', 'error', 'blocked', 'waived', 'warn', 'observed', 'skip', 'attested', 'pass']

function Report({ results }: { results: Results }) {
  const { issuer, partial, notRun, counts } = results
  return (
    <html lang="en" class="no-script">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content={`default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; img-src data:`}
        />
        <title>{`Conformance of ${issuer}`}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="to-content" href="#attention">
          To what needs attention
        </a>
        <header>
          <h1>Conformance of {issuer}</h1>
          <p class="verdict">{verdict(results)}</p>
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
          <Filters counts={counts} />
          <Attention results={results} />
          <section aria-labelledby="coverage">
            <h2 id="coverage">By section of the specification</h2>
            <Coverage results={results} />
          </section>
          <section aria-labelledby="readings">
            <h2 id="readings">Readings that the bank took</h2>
            <Readings results={results} />
          </section>
          <EveryRule results={results} />
        </main>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
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

function Attention({ results }: { results: Results }) {
  const cards = cardsOf(results)
  const evidence = new Map(results.evidence.map((item) => [item.id, item]))
  const explained = order.flatMap((status) => explainedOf(results.results, status))
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">What needs attention</h2>
      {explained.length === 0 && <p>Nothing.</p>}
      {explained.map(([result, ...others]) => {
        const card = cards.get(result.rule)
        const decisive = decisiveEvidence(result, evidence)
        const opened = openedBeside(result, evidence)
        return (
          card && (
            <CardView
              key={result.rule}
              result={result}
              others={others}
              card={card}
              decisive={decisive}
              opened={opened}
            />
          )
        )
      })}
      <List
        title="Registrations left at the bank"
        items={results.registrationsLeft.map((left) => `${left.clientId}: ${left.reason}`)}
      />
    </section>
  )
}

function EveryRule({ results }: { results: Results }) {
  return (
    <section aria-labelledby="rules">
      <h2 id="rules">Every rule</h2>
      <ol class="rules">
        {results.results.map((result) => (
          <RuleRow key={result.rule} result={result} explained={isExplained(result)} />
        ))}
      </ol>
      <List
        title="Skipped, by reason"
        items={skipsByReason(results.results).map(
          ({ reason, rules }) => `${rules.length} because ${reason}: ${rules.join(', ')}`,
        )}
      />
      <List title="Waivers of rules that did not fail" items={results.waiversUnused.map(({ rule }) => rule)} />
      <List title="Without a result" items={results.notRun} />
      <List title="Left out by the selection" items={results.selection.leftOut} />
    </section>
  )
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function verdict({ counts, partial, results }: Results): string {
  const blocked = results.filter(({ status, level }) => status === 'blocked' && level === 'MUST').length
  const parts = [
    counts.fail > 0 && `the bank breaks ${counts.fail} ${counts.fail === 1 ? 'rule' : 'rules'} about what it must do`,
    blocked > 0 && `${blocked} more could not be reached`,
    counts.error > 0 && `${counts.error} could not be judged, because of the harness or the target file`,
    partial && 'the run ended early',
  ].filter(Boolean)
  const text = [
    parts.length === 0 ? 'nothing failed' : parts.join('; '),
    counts.waived > 0 && `${counts.waived} waived`,
  ]
    .filter(Boolean)
    .join('; ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

function Facts({ results }: { results: Results }) {
  const { edition, harness, started, milliseconds, seed, files, selection, counts } = results
  const patterns = [...selection.only, ...selection.skip.map((pattern) => `!${pattern}`)]
  const facts: [string, string | undefined][] = [
    ['Results', statuses.flatMap((status) => (counts[status] > 0 ? `${counts[status]} ${status}` : [])).join(', ')],
    ['Edition of the specification', edition],
    ['Begun', started],
    ['Took', `${(milliseconds / 1000).toFixed(1)} s`],
    ['Target file', files?.target],
    ['Selection', patterns.length > 0 ? patterns.join(' ') : 'all rules'],
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

const columns: readonly Status[] = [
  'pass',
  'attested',
  'fail',
  'error',
  'blocked',
  'waived',
  'warn',
  'observed',
  'skip',
]

function Coverage({ results }: { results: Results }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="table" aria-label="Coverage by section, scrollable" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Section</th>
            <th scope="col" class="number">
              requirements
            </th>
            {columns.map((status) => (
              <th key={status} scope="col" class="number">
                {status}
              </th>
            ))}
            <th scope="col" class="number">
              not examined
            </th>
            <th scope="col" class="number">
              not seen from outside
            </th>
          </tr>
        </thead>
        <tbody>
          {coverageBySection(results).map(({ section, requirements, examined, notExamined, inside }) => (
            <tr key={section}>
              <th scope="row">{section}</th>
              <td class="number">{requirements}</td>
              {columns.map((status) => (
                <td key={status} class={`number ${examined[status] ? status : ''}`}>
                  {examined[status] ?? ''}
                </td>
              ))}
              <td class="number">{notExamined || ''}</td>
              <td class="number">{inside || ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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

function RuleRow({ result, explained }: { result: RuleResult; explained: boolean }) {
  const { status, rule, requirement, level, title, reason, notes } = result
  const more = [...(explained || !reason ? [] : [reason]), ...notes]
  return (
    <li data-status={status}>
      <span class={`status ${status}`}>{status}</span>
      <span>{explained ? <a href={`#card-${rule}`}>{rule}</a> : rule}</span>
      <span class="requirement">
        {requirement} {level}
      </span>
      <span>{title}</span>
      {more.map((text) => (
        <span key={text} class="more">
          {text}
        </span>
      ))}
    </li>
  )
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </>
  )
}

import type { RuleResult } from '../../harness/result.js'
import type { Results } from '../../harness/results.js'
import { isExplained } from '../card.js'
import { judgedLess } from '../judged-less.js'
import { skipsByReason } from '../skips.js'
import { List } from './list.js'

/** Every rule with its result, and what was left out and why. */
export function EveryRule({ results }: { results: Results }) {
  return (
    <details class="part">
      <summary>
        <h2 id="rules">Every rule</h2>
      </summary>
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
    </details>
  )
}

function RuleRow({ result, explained }: { result: RuleResult; explained: boolean }) {
  const { status, rule, requirement, level, title, reason, notes } = result
  const less = judgedLess(result)
  const more = [...(explained || !reason ? [] : [reason]), ...(less ? [less] : []), ...notes]
  return (
    <li data-status={status} id={`rule-${rule}`}>
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

import { type RuleResult, readingInWords, type Status, statuses } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { alike } from './alike.js'
import { cardsOf, explainedOf } from './card.js'
import { explanationLines, shownWith, wordStyles } from './explanation.js'
import { remarksOn } from './remarks.js'
import { skipsByReason } from './skips.js'

/** Results that the report explains by cards, the gravest first; those that are blocked come after them. */
const explained: readonly Status[] = ['fail', 'waived', 'warn', 'observed', 'error']

/** Writes the report for people. */
export interface ConsoleReport {
  /** One line for a result as it comes. */
  line(result: RuleResult): string
  /** Everything after the lines. */
  summary(results: Results): string
}

/** @param styled whether colours are wanted */
export function consoleReport({ styled }: { styled: boolean }): ConsoleReport {
  const { paint, status: word } = wordStyles({ styled })

  /** Rules that one thing blocks: what it is, then a line for each. */
  function blockedGroup([first, ...others]: [RuleResult, ...RuleResult[]], cause: string | undefined): string[] {
    const { blockedBy, reason } = first
    return [
      '',
      `${word('blocked')} ${1 + others.length} ${blockedBy ? `by ${paint('bold', blockedBy)}` : `because ${reason}`}`,
      ...(cause ? [`  likely cause:  ${cause}`] : []),
      ...[first, ...others].map(
        (one) => `  ${one.rule.padEnd(40)} ${one.requirement.padEnd(9)} ${blockedBy ? one.reason : one.title}`,
      ),
    ]
  }

  return {
    line: ({ status, rule, requirement, title }) =>
      `${word(status)} ${rule.padEnd(40)} ${requirement.padEnd(9)} ${title}`,
    summary(results) {
      const { counts, seed, readings, registrationsLeft, selection, notRun } = results
      const cards = cardsOf(results)
      const evidence = new Map(results.evidence.map((item) => [item.id, item]))
      const blocked = results.results.filter(({ status }) => status === 'blocked')
      const causeOf = ({ rule }: RuleResult) => cards.get(rule)?.cause
      return [
        ...explained.flatMap((status) =>
          explainedOf(results.results, status).flatMap(([first, ...others]) => {
            const card = cards.get(first.rule)
            const more = others.map(({ rule }) => rule)
            return card
              ? ['', ...explanationLines(first, card, shownWith(first, evidence), wordStyles({ styled }), more)]
              : []
          }),
        ),
        ...alike(blocked, (one) => `${one.blockedBy ?? one.reason} ${causeOf(one)}`).flatMap((group) =>
          blockedGroup(group, causeOf(group[0])),
        ),
        '',
        ...skipsByReason(results.results).map(
          ({ reason, rules }) => `${word('skip')} ${rules.length} because ${reason}: ${rules.join(', ')}`,
        ),
        ...readings.map((reading) => `reading  ${readingInWords(reading)}`),
        ...results.results.flatMap(({ rule, notes }) => notes.map((note) => `note     ${rule}: ${note}`)),
        ...registrationsLeft.map(({ clientId, reason }) => `left     registration ${clientId} still exists: ${reason}`),
        ...(notRun.length > 0 ? [`The run ended early; rules without a result: ${notRun.join(', ')}`] : []),
        ...(selection.leftOut.length > 0 ? [`The selection left out ${selection.leftOut.length} rules.`] : []),
        ...remarksOn(results),
        [
          results.issuer,
          `edition ${results.edition}`,
          statuses
            .filter((status) => counts[status] > 0)
            .map((status) => `${counts[status]} ${status}`)
            .join(', '),
          `${results.milliseconds} ms`,
          `seed ${seed}`,
        ].join('  '),
      ].join('\n')
    },
  }
}

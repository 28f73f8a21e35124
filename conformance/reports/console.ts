import { openEdition } from '../../schemas/editions/index.js'
import { agreedInWords, type RuleResult, readingInWords, statuses } from '../harness/result.js'
import { partsMissing, type Results } from '../harness/results.js'
import { cardsOf } from './card.js'
import { explanationLines, wordStyles } from './explanation.js'
import { judgedLess } from './judged-less.js'
import { leftLines } from './left.js'
import { remarksOn } from './remarks.js'
import { rootsOf } from './roots.js'
import { shownWith } from './shown-evidence.js'
import { skipsByReason } from './skips.js'
import { verdictOf } from './verdict.js'

/** Writes the report for people. */
export interface ConsoleReport {
  /** One line for a result as it comes. */
  line(result: RuleResult): string
  /** Everything after the lines. */
  summary(results: Results): string
}

/** What of a run is told. */
export interface ConsoleOptions {
  /** Whether colours are wanted. */
  styled: boolean
  /** Whether the exchanges, the rules that were skipped, every reading and every note are told beside what failed. Default: no. */
  verbose?: boolean
}

export function consoleReport({ styled, verbose = false }: ConsoleOptions): ConsoleReport {
  const styles = wordStyles({ styled })
  const { status: word } = styles

  function rootLines(results: Results): string[] {
    const cards = cardsOf(results)
    const evidence = new Map(results.evidence.map((item) => [item.id, item]))
    return rootsOf(results).flatMap((root) => {
      const card = cards.get(root.first.rule)
      const shown = verbose ? shownWith(root.first, evidence) : []
      return card ? ['', ...explanationLines(root, card, shown, styles)] : []
    })
  }

  return {
    line: ({ status, rule, requirement, title }) =>
      `${word(status)} ${rule.padEnd(40)} ${requirement.padEnd(9)} ${title}`,
    summary(results) {
      const { counts, seed, registrationsLeft, selection, notRun } = results
      return [
        ...rootLines(results),
        '',
        ...skipLines(results),
        ...lessLines(results),
        ...agreedTold(results, verbose).map((one) => `agreed   ${agreedInWords(one)}`),
        ...readingsTold(results, verbose).map((reading) => `reading  ${readingInWords(reading)}`),
        ...(verbose ? noteLines(results.results) : []),
        ...leftLines(registrationsLeft, { all: verbose }).map((line) => `left     ${line}`),
        ...(notRun.length > 0 ? [`${whyNotRun(results)}; rules without a result: ${notRun.join(', ')}`] : []),
        ...(selection.leftOut.length > 0 ? [`The selection left out ${selection.leftOut.length} rules.`] : []),
        ...remarksOn(results),
        verdictOf(results),
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

  function lessLines({ results }: Results): string[] {
    const less = results.flatMap((result) => {
      const words = judgedLess(result)
      return words === undefined ? [] : [`less     ${result.rule}: ${words}`]
    })
    if (verbose || less.length === 0) return less
    const rules = less.length === 1 ? 'rule that passes' : 'rules that pass'
    return [
      `less     ${less.length} ${rules} had less to judge than at the bundled bank; --verbose and report.html say how much`,
    ]
  }

  function skipLines({ results }: Results): string[] {
    const skips = skipsByReason(results)
    if (verbose)
      return skips.map(({ reason, rules }) => `${word('skip')} ${rules.length} because ${reason}: ${rules.join(', ')}`)
    const count = skips.flatMap(({ rules }) => rules).length
    return count > 0
      ? [`${word('skip')} ${count} ${count === 1 ? 'rule' : 'rules'}; --verbose and report.html say why`]
      : []
  }
}

function whyNotRun(results: Results): string {
  const missing = partsMissing(results)
  if (missing.length === 0) return 'The run ended early'
  return missing.length === 1 ? `Part ${missing} is missing` : `Parts ${missing.join(', ')} are missing`
}

function noteLines(results: readonly RuleResult[]): string[] {
  return results.flatMap(({ rule, notes }) => notes.map((note) => `note     ${rule}: ${note}`))
}

/** What was agreed that a reader has to know of: what is not as it is preferred. */
function agreedTold({ agreed }: Results, all: boolean): Results['agreed'] {
  return all ? agreed : agreed.filter(({ preferred }) => preferred !== undefined)
}

/** The readings that a reader has to know of: those that are not the ones that a bank takes by itself. */
function readingsTold({ readings, edition }: Results, all: boolean): Results['readings'] {
  const { ambiguities } = openEdition(edition)
  const usual = new Set(ambiguities.map(({ id, readings: [first] }) => `${id} ${first?.id}`))
  return all ? readings : readings.filter(({ ambiguity, reading }) => !usual.has(`${ambiguity} ${reading}`))
}

import type { Results } from '../harness/results.js'

/** What a run came to, in a sentence. */
export function verdictOf({ counts, partial, results }: Results): string {
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

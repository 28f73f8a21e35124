import { schema } from '../../schemas/index.js'
import type { Results } from '../harness/results.js'
import { cardsOf } from './card.js'

/** The report for machines: what schemas/report.schema.json describes, and names as its schema. */
export function jsonReport(results: Results): string {
  const cards = cardsOf(results)
  const explained = results.results.map((result) => {
    const card = cards.get(result.rule)
    return card ? { ...result, card } : result
  })
  return `${JSON.stringify({ schema: schema('report').$id, ...results, results: explained }, null, 2)}\n`
}

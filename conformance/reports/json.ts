import { schema } from '../../schemas/index.js'
import type { Results } from '../examine.js'

/** The report for machines: what schemas/report.schema.json describes, and names as its schema. */
export function jsonReport(results: Results): string {
  return `${JSON.stringify({ schema: schema('report').$id, ...results }, null, 2)}\n`
}

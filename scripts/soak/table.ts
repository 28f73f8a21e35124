/** One thing that was tried, how often, and how often something was lost. */
export interface Row {
  what: string
  tried: number
  /** What was lost, a sentence each. */
  lost: string[]
}

/** Losses of one thing that are printed. */
const mostShown = 5

/** Prints what was tried and what was lost: 0 is the only good figure. @returns whether nothing was */
export function printTable(rows: readonly Row[]): boolean {
  for (const { what, tried, lost } of rows) {
    console.log(`${what.padEnd(60)} ${String(tried).padStart(8)} tried ${String(lost.length).padStart(6)} lost`)
    for (const one of lost.slice(0, mostShown)) console.log(`    ${one}`)
  }
  const lost = rows.reduce((sum, row) => sum + row.lost.length, 0)
  console.log(`\n${lost} lost`)
  return lost === 0
}

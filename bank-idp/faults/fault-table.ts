import { type Deviation, type Fault, fault } from './fault.js'

/** What a row of a table says of the fault that is made of it. */
export interface FaultRow {
  id: string
  requirement: string
  /** Left out where the requirement has one place alone. */
  places?: readonly string[]
  title: string
  collateral?: Fault['collateral']
}

/** The rows of a table as faults, each with the deviation that is made of what else the row says. */
export function faultsOf<Row extends FaultRow>(
  rows: readonly Row[],
  deviationOf: (row: Row) => Deviation,
): readonly Fault[] {
  return rows.map((row) => fault({ ...descriptionOf(row), ...deviationOf(row) }))
}

/** The same, where each fault remembers something. @param memory makes what one activation remembers; bounded */
export function rememberingFaultsOf<Row extends FaultRow, Memory>(
  rows: readonly Row[],
  memory: () => Memory,
  deviationOf: (row: Row) => Deviation<Memory>,
): readonly Fault[] {
  return rows.map((row) => fault<Memory>({ ...descriptionOf(row), ...deviationOf(row), memory }))
}

function descriptionOf({ id, requirement, places, title, collateral }: FaultRow) {
  return { id, breaks: [requirement], title, ...(places && { places }), ...(collateral && { collateral }) }
}

import type { BankOptions } from '../../bank-idp/bank.js'

/** A bank with a whole group switched on. */
export function optionsOf(group: readonly { options: BankOptions }[]): BankOptions {
  return {
    ...Object.assign({}, ...group.map(({ options }) => options)),
    faults: group.flatMap(({ options }) => options.faults ?? []),
    readings: Object.assign({}, ...group.map(({ options }) => options.readings)),
  }
}

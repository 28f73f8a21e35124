import { faults } from '../../bank-idp/faults/index.js'
import { type Case, caseOfFault, caseOfShaped, caseOfVariant } from './case.js'
import type { Matrix } from './matrix.js'
import { shapedBanks } from './shaped.js'
import { variants } from './variants.js'

/** Whatever the proof switches on in a bank. @param known the rows of the matrix that are checked in */
export function casesOf(known: Matrix): { faults: Case[]; variants: Case[] } {
  return {
    faults: faults.map((fault) => caseOfFault(fault, known[fault.id])),
    variants: [...variants.map(caseOfVariant), ...shapedBanks.map(caseOfShaped)],
  }
}

import { toRegister } from '../../target/needs.js'
import { ofFrontChannel } from './broken-parameters.js'
import { parametersAlways } from './checked-always.js'
import type { Row } from './error-row.js'
import { parameterRows } from './parameter-rows.js'

/** Which response_mode goes with a token is another matter (AMB-11): it has a row of its own. */
const whateverTheType = parametersAlways.filter((slug) => slug !== 'response-mode-unsupported')

/** What is wrong with a parameter is wrong in the implicit flow, too: the first way of each. */
export const implicitRows: readonly Row[] = parameterRows
  .filter(({ slug }) => whateverTheType.includes(slug))
  .map(({ slug, requirement, title, broken, answers }) => ({
    slug: `${slug}-of-implicit`,
    requirement,
    places: ['grant=implicit'],
    title: `${title}, of response_type token too`,
    needs: toRegister,
    clientMetadata: ofFrontChannel,
    good: { response_type: 'token' },
    broken: Object.fromEntries(Object.entries(broken).slice(0, 1)),
    answers,
  }))

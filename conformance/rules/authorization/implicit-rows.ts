import { toRegister } from '../../target/needs.js'
import { ofFrontChannel } from './broken-parameters.js'
import type { Row } from './error-row.js'
import { parameterRows } from './parameter-rows.js'

/** Rows that hold whatever the response_type, by the first way of each. */
const whateverTheType = [
  ...['state-missing', 'nonce-missing', 'scope-missing', 'scope-without-openid', 'scope-unsupported'],
  ...['display-unsupported', 'prompt-unsupported', 'acr-values-unsupported', 'max-age-invalid'],
  ...['ui-locales-invalid', 'registration-parameter'],
]

/** What is wrong with a parameter is wrong in the implicit flow, too. */
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

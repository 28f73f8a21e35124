import { Option } from 'commander'
import { defaultEdition, editions } from '../../schemas/editions/index.js'

/** --edition of the commands that speak of the specification and not of a bank. */
export function editionOption(): Option {
  return new Option('--edition <id>', 'the edition of the specification').choices(editions).default(defaultEdition)
}

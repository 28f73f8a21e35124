import { isUrl } from '../../../schemas/is-url.js'
import { recordFields } from '../../bank/client-metadata.js'
import type { HttpResponse } from '../../http/http.js'

/** Whether a value is of the type that a field has. */
const isOfType: Readonly<Record<(typeof recordFields)[string], (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  uri: (value) => typeof value === 'string' && isUrl(value),
  list: (value) => Array.isArray(value) && value.every((element) => typeof element === 'string'),
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
}

/** Whether a record was taken with a value of the right type in place of what was sent, as its answer tells (RFC 7591 section 3.2.1). */
export function isReplaced(answer: HttpResponse, field: string): boolean {
  const type = recordFields[field]
  const isRecord = answer.status < 300 && answer.member('client_id') !== undefined
  return isRecord && type !== undefined && isOfType[type](answer.member(field))
}

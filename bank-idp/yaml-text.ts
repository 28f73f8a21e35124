import { dump } from 'js-yaml'

/**
 * A value of JSON as YAML 1.2, for people to read. A member that is undefined is left out. The library that keeps what people write in a file
 * (`yaml`) takes ten times as long to be loaded, and each start writes two files.
 */
export function yamlText(value: unknown): string {
  return dump(value, { noRefs: true, skipInvalid: true, quoteStyle: 'double' })
}

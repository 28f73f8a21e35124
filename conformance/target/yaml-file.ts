import { LineCounter, parseDocument, type YAMLParseError } from 'yaml'
import { formatViolation, type SchemaName, validate } from '../../schemas/index.js'

/** A file is not as it should be; each mistake is one line that names the place. */
export class FileMistakes extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}

/** The value of a YAML text. @throws FileMistakes with the first mistake and its line: those after it mostly come of it */
export function parseYaml(text: string): unknown {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [first] = document.errors
  if (first) throw new FileMistakes([`line ${lineCounter.linePos(first.pos[0]).line}: ${inWords(first, text)}`])
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new FileMistakes([error instanceof Error ? error.message : String(error)])
  }
}

/** What the parser says, where it does not speak to programmers or leave the name out. */
function inWords({ code, message, pos: [start] }: YAMLParseError, text: string): string | undefined {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here (---); a file holds one'
  if (code === 'DUPLICATE_KEY') return `${text.slice(start).match(/^[^:\n]*/)?.[0]} stands here a second time`
  return message.split('\n')[0]
}

/** What a schema has against a value of a YAML file, by JSON pointer: each a line that names the place. */
export function schemaMistakes(name: SchemaName, value: unknown): Map<string, string> {
  return new Map(
    validate(name, value).map((violation) => [violation.path, formatViolation(violation, 'the whole file')]),
  )
}

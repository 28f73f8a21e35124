import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileTrouble } from './file-trouble.js'
import { readText } from './target-files.js'
import { FileMistakes, parseYaml, schemaMistakes } from './yaml-file.js'

/** Bytes of an attachment at most: a bundle is to be mailed. */
const largestAttachment = 10_000_000

/** A file that shows what is stated. */
export interface Attachment {
  /** As the statements file names it. */
  file: string
  /** Lower-case hexadecimal. */
  sha256: string
}

/** What every statement tells. */
export interface Statement {
  /** Name and office. */
  by: string
  /** YYYY-MM-DD. */
  on: string
  text: string
  attachments?: Attachment[]
}

/** What a bank states of itself, by requirement, as schemas/statements.schema.json has it. */
export interface Statements {
  'JWKS-8'?: Statement & { published_days_after_expiry: number }
  'CONS-8'?: Statement & { required_marked: boolean; others_refusable: boolean }
  'TOK-30'?: Statement & { random_source: string; random_bits: number }
  'TOK-31'?: Statement & { outcomes: string[]; nothing_else_invalidates: boolean }
  'SIGN-25'?: Statement & { kept_at: string; kept_for: string; as_law_allows: boolean; provable: boolean }
}

/** A requirement that a bank shows by stating it. */
export type Stated = keyof Statements

/**
 * Reads a statements file, and holds the attachments against their hashes.
 * @throws FileMistakes with every mistake found
 */
export function loadStatements(path: string): { statements: Statements; attachments: Map<Attachment, Buffer> } {
  const value = parseYaml(readText(path))
  const mistakes = [...schemaMistakes('statements', value).values()]
  if (mistakes.length > 0) throw new FileMistakes(mistakes)
  const statements = value as Statements
  const attachments = new Map<Attachment, Buffer>()
  for (const [requirement, { attachments: own = [] }] of Object.entries(statements) as [string, Statement][]) {
    for (const attachment of own) {
      try {
        attachments.set(attachment, readAttachment(dirname(path), attachment))
      } catch (error) {
        mistakes.push(`${requirement}.attachments: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  if (mistakes.length > 0) throw new FileMistakes(mistakes)
  return { statements, attachments }
}

function readAttachment(directory: string, { file, sha256 }: Attachment): Buffer {
  const path = resolve(directory, file)
  const content = (() => {
    try {
      if (statSync(path).size > largestAttachment) return undefined
      return readFileSync(path)
    } catch (error) {
      throw new Error(`${file} cannot be read (${fileTrouble(error)})`)
    }
  })()
  if (!content) throw new Error(`${file} has more than ${largestAttachment} bytes`)
  const found = createHash('sha256').update(content).digest('hex')
  if (found !== sha256) throw new Error(`${file} has the SHA-256 ${found}, not ${sha256}`)
  return content
}

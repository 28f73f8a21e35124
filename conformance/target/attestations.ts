import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileTrouble } from './file-trouble.js'
import { readText } from './target-files.js'
import { FileMistakes, parseYaml, schemaMistakes } from './yaml-file.js'

/** Bytes of an attachment at most: a bundle is to be mailed. */
const largestAttachmentBytes = 10_000_000

/** A file that shows what is attested. */
export interface Attachment {
  /** As the attestations file names it. */
  file: string
  /** Lower-case hexadecimal. */
  sha256: string
}

/** What every attestation tells. */
export interface Attestation {
  /** Name and office. */
  by: string
  /** YYYY-MM-DD. */
  on: string
  text: string
  attachments?: Attachment[]
}

/** What a bank attests of itself, by requirement, as schemas/attestations.schema.json has it. */
export interface Attestations {
  'JWKS-8'?: Attestation & { published_days_after_expiry: number }
  'CONS-8'?: Attestation & { required_marked: boolean; others_refusable: boolean }
  'TOK-30'?: Attestation & { random_source: string; random_bits: number }
  'TOK-31'?: Attestation & { outcomes: string[]; nothing_else_invalidates: boolean }
  'SIGN-25'?: Attestation & { kept_at: string; kept_for: string; as_law_allows: boolean; provable: boolean }
}

/** A requirement that a bank shows by stating it. */
export type AttestedRequirement = keyof Attestations

/**
 * Reads an attestations file, and holds the attachments against their hashes.
 * @throws FileMistakes with every mistake found
 */
export function loadAttestations(path: string): { attestations: Attestations; attachments: Map<Attachment, Buffer> } {
  const value = parseYaml(readText(path))
  const mistakes = [...schemaMistakes('attestations', value).values()]
  if (mistakes.length > 0) throw new FileMistakes(mistakes)
  const attestations = value as Attestations
  const attachments = new Map<Attachment, Buffer>()
  for (const [requirement, { attachments: own = [] }] of Object.entries(attestations) as [string, Attestation][]) {
    for (const attachment of own) {
      try {
        attachments.set(attachment, readAttachment(dirname(path), attachment))
      } catch (error) {
        mistakes.push(`${requirement}.attachments: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  if (mistakes.length > 0) throw new FileMistakes(mistakes)
  return { attestations, attachments }
}

function readAttachment(directory: string, { file, sha256 }: Attachment): Buffer {
  const path = resolve(directory, file)
  const content = (() => {
    try {
      if (statSync(path).size > largestAttachmentBytes) return undefined
      return readFileSync(path)
    } catch (error) {
      throw new Error(`${file} cannot be read (${fileTrouble(error)})`)
    }
  })()
  if (!content) throw new Error(`${file} has more than ${largestAttachmentBytes} bytes`)
  const found = createHash('sha256').update(content).digest('hex')
  if (found !== sha256) throw new Error(`${file} has the SHA-256 ${found}, not ${sha256}`)
  return content
}

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { sha256 } from '../certification/bundle.js'
import { command } from './command.js'
import { type ForeignBank, startForeignBank, targetFileOf } from './foreign-bank.js'
import { type TargetDirectory, targetDirectory } from './target-file.js'

const own = { by: 'Jana Nová', on: '2026-11-02', text: 'As attested.' }

/** What the bank attests; its tokens are UUIDs. */
export const attestations = {
  'JWKS-8': { ...own, published_days_after_expiry: 365 },
  'CONS-8': {
    ...own,
    required_marked: true,
    others_refusable: true,
    attachments: [{ file: 'consent.png', sha256: sha256('a screenshot') }],
  },
  'TOK-30': { ...own, random_source: 'getrandom(2)', random_bits: 128 },
  'TOK-31': { ...own, outcomes: [], nothing_else_invalidates: true },
  'SIGN-25': { ...own, kept_at: 'the archive', kept_for: 'ten years', as_law_allows: true, provable: true },
}

/** A bank that was certified, and the directory in which everything of it lies. */
export interface CertifiedBank {
  bank: ForeignBank
  directory: TargetDirectory
  /** The target file, which names attestations. */
  target: string
  bundle: string
  /** Exit code and errors of the certification. */
  certified: { code: number; err: string }
  /** Of a file in the directory. */
  path(name: string): string
  certify(target: string, out: string): ReturnType<typeof command>
  /** A copy of the bundle with something done to it. */
  tampered(change: (copy: string) => void): string
  close(): Promise<void>
}

/**
 * Certifies a small bank, at which most of the plan fails: a certification that says "not conformant" is signed and checked like any
 * other. That the bundled bank is certified, and twice with one digest, scripts/certification.test.ts shows.
 */
export async function certifiedBank(): Promise<CertifiedBank> {
  const [directory, bank] = await Promise.all([targetDirectory(), startForeignBank()])
  const path = (name: string) => join(directory.path, name)
  const certify = (target: string, out: string) =>
    command(['run', '--certify', '--target', target, '--key', path('certifier'), '--out', out])
  directory.write('consent.png', 'a screenshot')
  directory.write('attestations.yaml', stringify(attestations))
  const notExamined = [{ rules: ['*'], reason: 'The bank is small.' }]
  const file = { ...targetFileOf(bank), attestations: 'attestations.yaml', not_examined: notExamined }
  const target = directory.write('target.yaml', stringify(file))
  await command(['make-key', path('certifier')])
  const bundle = path('bundle')
  const { code, err } = await certify(target, bundle)
  return {
    bank,
    directory,
    target,
    bundle,
    certified: { code, err },
    path,
    certify,
    tampered(change) {
      const copy = path('tampered')
      rmSync(copy, { recursive: true, force: true })
      cpSync(bundle, copy, { recursive: true })
      change(copy)
      return copy
    },
    async close() {
      await bank.close()
      directory.remove()
    },
  }
}

/** Writes a file anew. */
export function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

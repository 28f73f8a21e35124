import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import { targetDirectory } from '../testing/target-file.js'
import { loadTarget } from './load-target.js'
import { TargetError } from './target-error.js'

const directory = await targetDirectory()
afterAll(() => directory.remove())

const screenshot = 'a screenshot'
const sha256 = createHash('sha256').update(screenshot).digest('hex')
const consent = { by: 'Jana Nová', on: '2026-11-02', text: 'So.', required_marked: true, others_refusable: true }

function load(attestations: unknown) {
  directory.write('consent.png', screenshot)
  directory.write('attestations.yaml', typeof attestations === 'string' ? attestations : stringify(attestations))
  const target = directory.write(
    'target.yaml',
    stringify({ issuer: 'https://bank.example', attestations: 'attestations.yaml' }),
  )
  return loadTarget(target)
}

function mistakesIn(attestations: unknown): readonly string[] {
  try {
    load(attestations)
  } catch (error) {
    if (error instanceof TargetError) return error.mistakes
    throw error
  }
  return []
}

test('a target names its attestations and what they have attached', () => {
  const attested = { 'CONS-8': { ...consent, attachments: [{ file: 'consent.png', sha256 }] } }
  const { attestations, attachments } = load(attested)
  expect(attestations).toEqual(attested)
  expect([...(attachments ?? [])].map(([{ file }, content]) => [file, content.toString()])).toEqual([
    ['consent.png', screenshot],
  ])
})

test('every mistake is a line that names the place', () => {
  expect(mistakesIn({ 'CONS-8': { ...consent, on: 'yesterday', text: '' }, 'TOK-1': {} })).toEqual([
    expect.stringMatching(/^attestations: TOK-1 is not a known member; known are JWKS-8, CONS-8/),
    'attestations: CONS-8.on must be a date such as 2001-12-31.',
    'attestations: CONS-8.text must not be empty.',
  ])
  expect(mistakesIn('a: [')).toEqual([expect.stringMatching(/^attestations: line 1: /)])
})

test('an attachment that is missing, or is not what was hashed, is told', () => {
  const attachments = [
    { file: 'none.png', sha256 },
    { file: 'consent.png', sha256: '0f'.repeat(32) },
  ]
  expect(mistakesIn({ 'CONS-8': { ...consent, attachments } })).toEqual([
    'attestations: CONS-8.attachments: none.png cannot be read (there is no such file or folder)',
    `attestations: CONS-8.attachments: consent.png has the SHA-256 ${sha256}, not ${'0f'.repeat(32)}`,
  ])
})

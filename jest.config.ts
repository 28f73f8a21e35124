/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os'
import type { Config } from 'jest'

const config: Config = {
  testEnvironment: 'node',
  roots: [
    '<rootDir>/bank-idp',
    '<rootDir>/conformance',
    '<rootDir>/schemas',
    '<rootDir>/fixtures',
    '<rootDir>/scripts',
  ],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
      },
    ],
  },
  // Ends what hangs and nothing else: a machine may be busy, and there are tests that take two whole runs of the harness.
  testTimeout: 900_000,
  // One for each processor, and one for the time in which others wait: with two processors a quarter of a run.
  maxWorkers: availableParallelism() + 1,
  // Modules of a test file are never given back, and the more there are, the longer every test waits for them to be looked through: a process
  // that has so many of them makes room for a new one.
  workerIdleMemoryLimit: '600MB',
}

export default config

import type { Manifest } from '../certification/bundle.js'
import type { VerificationKey } from '../certification/certifier-key.js'

/** What a bundle says, in lines. */
export function bundleLines(
  { issuer, edition, outcome, verdicts, started, signed, versions }: Manifest,
  { alg, thumbprint }: Pick<VerificationKey, 'alg' | 'thumbprint'>,
): string[] {
  return [
    `${issuer} is ${outcome} by edition ${edition}, in a run of ${started} with harness ${versions.harness} on Node ${versions.node}.`,
    `verdicts  sha256 ${verdicts}`,
    `signed    ${signed} by key ${thumbprint} (${alg})`,
  ]
}

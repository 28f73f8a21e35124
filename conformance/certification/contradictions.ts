import type { Report } from '../harness/results.js'
import { type Manifest, manifestFile, reportFile, verdictsFile } from './bundle.js'
import { canonicalJson } from './canonical-json.js'
import { outcomeOf, type Verdict, type Verdicts, verdictOf } from './verdicts.js'

/** What the files of a bundle say of one run. */
export interface Said {
  manifest: Manifest
  verdicts: Verdicts
  report: Report
}

/**
 * What is told in two places of a bundle and differs between them, a line each: whoever signs can put together what does not belong together,
 * and a program that reads one place takes it for the whole.
 */
export function contradictions({ manifest, verdicts, report }: Said): string[] {
  const places: [what: string, ...said: [file: string, value: string][]][] = [
    ['issuer', [manifestFile, manifest.issuer], [reportFile, report.issuer]],
    ['edition', [manifestFile, manifest.edition], [verdictsFile, verdicts.edition], [reportFile, report.edition]],
    ['start', [manifestFile, manifest.started], [reportFile, report.started]],
    [
      'harness version',
      [manifestFile, manifest.versions.harness],
      [verdictsFile, verdicts.harness.version],
      [reportFile, report.harness.version],
    ],
    [
      'outcome',
      [manifestFile, manifest.outcome],
      [verdictsFile, verdicts.outcome],
      ['its verdicts', outcomeOf(verdicts.results)],
    ],
  ]
  const differing = places.flatMap(([what, [firstFile, first] = ['', ''], ...others]) =>
    others
      .filter(([, value]) => value !== first)
      .map(
        ([file, value]) => `${firstFile} says ${what} ${JSON.stringify(first)}, and ${file} ${JSON.stringify(value)}`,
      ),
  )
  return [...differing, ...differingVerdicts(verdicts, report)]
}

/** The rules of which the verdicts and the report tell another result, up to 20 of them. */
export function differingVerdicts(verdicts: Verdicts, report: Report): string[] {
  const claimed = new Map(verdicts.results.map((verdict) => [verdict.rule, verdict]))
  const found = new Map(report.results.map((result) => [result.rule, verdictOf(result)]))
  const status = (verdict: Verdict | undefined) => verdict?.status ?? 'absent'
  return [...new Set([...claimed.keys(), ...found.keys()])]
    .sort()
    .filter((rule) => canonicalJson(claimed.get(rule) ?? null) !== canonicalJson(found.get(rule) ?? null))
    .slice(0, 20)
    .map(
      (rule) =>
        `${rule} is ${status(claimed.get(rule))} in ${verdictsFile}, ${status(found.get(rule))} in ${reportFile}`,
    )
}

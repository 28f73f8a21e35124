import type { Evidence, Exchange } from '../../conformance/evidence/evidence.js'
import type { RuleResult } from '../../conformance/harness/result.js'
import type { Results } from '../../conformance/harness/results.js'
import { summaryOf } from '../../conformance/harness/results.js'
import { rules } from '../../conformance/rules/index.js'
import { openEdition } from '../../schemas/editions/index.js'

const at = '2026-01-31T08:32:09.000Z'
const long = 'a-value-without-any-place-to-break-it-'.repeat(8)

/** A run of all rules, of which so many failed for a reason each of its own, as its report would show it; nothing was asked of any bank. */
export function failingRun(failures: number): Results {
  const edition = openEdition()
  const evidence: Evidence[] = []
  const every = rules.length / failures
  const results = rules
    .map(({ id, requirement, title }, i): RuleResult => {
      const { level } = edition.requirementOf(requirement)
      const result = { rule: id, requirement, level, title, readings: [], notes: [], milliseconds: 1, evidence: [] }
      if (Math.floor(i / every) === Math.floor((i - 1) / every)) return { ...result, status: 'pass' }
      const exchanges = exchangesOf(evidence.length, id)
      evidence.push(...exchanges)
      const ids = exchanges.map((exchange) => exchange.id)
      const sentence = `the answer to POST /token should be refused for what ${id} changed, but has status 200 and ${long}`
      const finding = { sentence, expected: '400', actual: long, evidence: String(ids.at(-1)) }
      return { ...result, status: 'fail', reason: sentence, finding, evidence: ids }
    })
    .sort((a, b) => (a.rule < b.rule ? -1 : 1))
  return {
    harness: { name: 'bank-idp-conformance', version: '0.1.0' },
    issuer: 'https://bank.example',
    edition: edition.id,
    seed: 'abc',
    started: at,
    milliseconds: 1000,
    selection: { only: [], skip: [], leftOut: [] },
    partial: false,
    notRun: [],
    ...summaryOf(results, [], edition),
    agreed: [],
    keySet: { at, keys: [] },
    registrationsLeft: Array.from({ length: 300 }, (_, i) => ({
      clientId: `c-${i}`,
      reason: `DELETE c-${i}: ${long}`,
    })),
    results,
    evidence,
  }
}

/** A registration, a page, and a request that was changed. */
function exchangesOf(before: number, rule: string): Exchange[] {
  const exchange = (n: number, method: string, path: string, accept: string, body: string): Exchange => ({
    id: `e${before + n}`,
    kind: 'exchange',
    direction: 'sent',
    at,
    milliseconds: 5,
    request: { method, url: `https://bank.example${path}/${long}?${long}`, headers: { accept } },
    response: { status: 200, headers: { 'content-type': accept }, body },
  })
  return [
    exchange(1, 'POST', '/register', 'application/json', '{}'),
    exchange(2, 'GET', '/auth', 'text/html', `<title>Sign in</title><p>${long}</p>`),
    { ...exchange(3, 'POST', '/token', 'text/html', `<p>${rule} ${long}</p>`), changed: ['assertion'] },
  ]
}

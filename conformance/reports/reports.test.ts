import { stripVTControlCharacters } from 'node:util'
import { load } from 'cheerio'
import { schema, validate } from '../../schemas/index.js'
import { examine } from '../examine.js'
import { statuses } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { rules } from '../rules/index.js'
import { bankForFile } from '../testing/banks.js'
import { json } from '../testing/https-server.js'
import { junitViolations } from '../testing/junit-form.js'
import { type ConsoleReport, consoleReport } from './console.js'
import { githubAnnotations, githubSummary } from './github.js'
import { htmlReport } from './html/html.js'
import { jsonReport } from './json.js'
import { junitReport } from './junit.js'
import { sarifReport } from './sarif.js'

const bank = await bankForFile(() => ({
  'POST /token': () => json({ error: 'invalid_grant', error_description: 'no' }, 400),
  'DELETE /register/*': () => json({}, 500),
}))
let results: Results

beforeAll(async () => {
  const { issuer } = bank.target
  results = await examine({
    target: bank.target,
    only: ['token/code-exchange', 'userinfo/signed', 'REG-1', 'DISC-1'],
    seed: 'abc',
  })
  expect(issuer).toBe(results.issuer)
})

describe('the report for machines', () => {
  test('is as its schema says, and names it', () => {
    const report = JSON.parse(jsonReport(results))
    expect(validate('report', report)).toEqual([])
    expect(report.schema).toBe(schema('report').$id)
    expect(report.edition).toBe('1.2')
  })

  test('has the evidence of what it explains whole, each body once, and of the rest a few words', () => {
    const report = JSON.parse(jsonReport(results))
    const judged = results.results.find(({ status }) => status === 'fail')?.finding?.evidence
    const item = (id: string | undefined) => report.evidence.find((one: { id: string }) => one.id === id)
    expect(report.bodies[item(judged).response.body]).toBe('{"error":"invalid_grant","error_description":"no"}')
    const green = results.results.map((result) => ({ ...result, status: 'pass' as const }))
    const brief = JSON.parse(jsonReport({ ...results, results: green }))
    expect(validate('report', brief)).toEqual([])
    expect(brief.bodies).toEqual({})
    expect(brief.evidence).toContainEqual({ id: judged, kind: 'brief', what: 'POST /token 400' })
    const told = brief.evidence.map(({ id }: { id: string }) => id)
    expect(
      brief.results.flatMap(({ evidence }: { evidence: string[] }) => evidence.filter((id) => !told.includes(id))),
    ).toEqual([])
    expect(results.evidence.filter(({ id }) => !told.includes(id)).map(({ kind }) => kind)).toContain('opened')
    const whole = JSON.parse(jsonReport({ ...results, results: green }, { whole: true }))
    expect(validate('report', whole)).toEqual([])
    expect(whole.evidence.map(({ kind }: { kind: string }) => kind)).not.toContain('brief')
    expect(Object.keys(whole.bodies).length).toBeGreaterThan(5)
  })
})

describe('the report for code scanning', () => {
  test('has a result for each rule that is explained, with its rule, and a waiver as a suppression', () => {
    const waiver = { rule: 'token/code-exchange', reason: 'known', owner: 'o', issue: 'i', expires: '2030-01-01' }
    const failed = results.results.find(({ status }) => status === 'fail')
    const waived = failed && { ...failed, rule: 'token/waived', status: 'waived' as const, waiver }
    const log = JSON.parse(sarifReport({ ...results, results: [...results.results, ...(waived ? [waived] : [])] }))
    const [{ tool, results: found, invocations }] = log.runs
    expect([log.version, tool.driver.name, invocations[0].executionSuccessful]).toEqual([
      '2.1.0',
      'bank-idp-conformance',
      true,
    ])
    expect(found.map(({ ruleId, kind, level }: Record<string, string>) => [ruleId, kind, level].join(' '))).toEqual([
      'token/code-exchange fail error',
      'userinfo/signed open none',
      'token/waived fail error',
    ])
    for (const { ruleId, ruleIndex } of found) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
    expect(found[0].message.text).toContain('POST /token gave no access token for the code (status 400)')
    expect(found[0].locations[0].physicalLocation.artifactLocation.uri).toBe(results.issuer)
    expect(found[2].suppressions).toEqual([{ kind: 'external', justification: 'known' }])
  })
})

describe('what GitHub Actions shows', () => {
  test('is an annotation for each cause, on a line of its own whatever the bank said', () => {
    const said = results.results.map((result) => ({ ...result, reason: 'a\nb: 100 %' }))
    const lines = githubAnnotations({ ...results, results: said })
    expect(lines).toEqual(['::error title=TOK-1 token/code-exchange::a%0Ab: 100 %25 (explains 1 more)'])
    expect(githubAnnotations({ ...results, results: [] })).toEqual([])
  })

  test('is a summary with the verdict, the counts and the causes, in which the bank writes no Markdown', () => {
    const said = results.results.map((result) => ({ ...result, reason: '<img> | [a](b)\n*' }))
    const lines = githubSummary({ ...results, results: said }).split('\n')
    expect(lines).toContain('**The bank breaks 1 rule about what it must do; 1 more could not be reached.**')
    expect(lines).toContain('Edition 1.2: 2 pass, 1 fail, 1 blocked.')
    expect(lines).toContain('| fail | TOK-1 | token/code-exchange | &lt;img> \\| \\[a\\](b) \\* (explains 1 more) |')
  })
})

describe('the report for CI systems', () => {
  const xml = () => load(junitReport(results), { xml: true })

  test('has a suite for each topic with its counts, and a case for each rule', () => {
    const suites = xml()('testsuite')
      .map((_, suite) => [{ ...suite.attribs, time: '', timestamp: '' }])
      .get()
    const suite = (name: string, counts: object) => ({
      name,
      tests: '1',
      failures: '0',
      errors: '0',
      skipped: '0',
      time: '',
      timestamp: '',
      ...counts,
    })
    expect(suites).toEqual([
      suite('discovery', {}),
      suite('registration', {}),
      suite('token', { failures: '1' }),
      suite('userinfo', { errors: '1' }),
    ])
    expect(xml()('testcase').first().attr()).toEqual({
      classname: 'discovery',
      name: 'discovery/document DISC-1 The discovery document is served as JSON without authentication, to who accepts anything too',
      time: expect.stringMatching(/^\d+\.\d{3}$/),
    })
  })

  test("is as the schema of Jenkins's xUnit plugin says, whatever came of a rule", () => {
    const [first] = results.results
    if (!first) throw new Error('four rules were run')
    const waiver = { rule: first.rule, reason: 'known', owner: 'o', issue: 'i', expires: '2030-01-01' }
    const every = statuses.map((status) => ({
      ...first,
      status,
      reason: 'why',
      ...(status === 'waived' && { waiver }),
    }))
    const hour = { ...results, results: every, milliseconds: 3_600_000, partial: true, notRun: ['health/record'] }
    for (const run of [results, hour]) expect(junitViolations(junitReport(run))).toEqual([])
    expect(junitViolations('<testsuites skipped="0" time="1 s"><testcase file="f"/>a</testsuites>')).toEqual([
      '/testsuites has skipped',
      '/testsuites has another time',
      '/testsuites has text',
      '/testsuites has testcase in it',
    ])
  })

  test('names the edition of the specification', () => {
    expect(xml()('property[name=edition]').first().attr('value')).toBe('1.2')
  })

  test('tells fails, blocks and skips apart', () => {
    const document = xml()
    expect(document('failure').attr()).toEqual({
      type: 'TOK-1',
      message: 'POST /token gave no access token for the code (status 400)',
    })
    expect(document('failure').text()).toContain('"error":"invalid_grant"')
    expect(document('error').attr('type')).toBe('blocked')
    const skipped = junitReport({
      ...results,
      results: results.results.map((result) => ({
        ...result,
        status: 'skip' as const,
        reason: 'no <person> & "co"\u0000',
      })),
    })
    expect(load(skipped, { xml: true })('skipped').first().attr('message')).toBe('no <person> & "co"[U+0000]')
  })

  test('of a run that was ended early is red and says so', () => {
    const document = load(junitReport({ ...results, partial: true, notRun: ['health/record'] }), { xml: true })
    expect(document('[classname=health] skipped').attr('message')).toBe('not run: the run ended early')
    expect(document('[classname=run] error').attr('type')).toBe('partial')
    expect(document('testsuites').attr()).toMatchObject({ tests: '6', failures: '1', errors: '2' })
    expect(document('testsuite[name=health]').attr('skipped')).toBe('1')
  })
})

describe('the report for people', () => {
  const plain = consoleReport({ styled: false })
  const verbose = consoleReport({ styled: false, verbose: true })

  test('has a line for each result', () => {
    expect(results.results.map(plain.line)).toEqual([
      'pass     discovery/document                       DISC-1    The discovery document is served as JSON without authentication, to who accepts anything too',
      'pass     registration/create                      REG-1     A client is registered: 200 with the record and what the bank gives it',
      'fail     token/code-exchange                      TOK-1     A code is exchanged for tokens: 200 with a JSON token response',
      expect.stringMatching(/^blocked {2}userinfo\/signed {26}DATA-1 {4}userinfo is a JWT/),
    ])
  })

  test('explains a failure: requirement, section, what was found, how to see it again, the exchange', () => {
    const summary = verbose.summary(results)
    const failure = summary.split(/^(?=fail )/m)[1]?.split('\n\n')[0] ?? ''
    expect(failure.split('\n').slice(0, 9)).toEqual([
      'fail     token/code-exchange  explains 1 more',
      '  TOK-1 MUST, "Token response": grant authorization_code with a valid code and client authentication answers 200 JSON with access_token, token_type Bearer, expires_in, scope, id_token.',
      '  POST /token gave no access token for the code (status 400)',
      '  expected:      A code is exchanged for tokens: 200 with a JSON token response',
      '  actual:        status 400, content type application/json, {"error":"invalid_grant","error_description":"no"}',
      '  blocks:        1 more: userinfo/signed',
      '  done:          The harness read the discovery document, registered a client, sent GET /auth, sent a person through the pages of /auth (5 requests) and sent POST /token, whose answer is judged.',
      '  again with:    conformance run --target FILE --only token/code-exchange --seed abc',
      expect.stringMatching(/^ {2}exchange e\d+:$/),
    ])
    expect(failure).toContain(`    > POST ${bank.url}/token\n`)
    expect(failure).toMatch(/^ {4}> grant_type=authorization_code&code=code:‹[0-9a-f]{8}›&/m)
    expect(failure).toContain('    < 400\n')
    expect(failure).toContain('    < {"error":"invalid_grant","error_description":"no"}')
  })

  test('tells what one rule blocks with that rule, and names one that was not run', () => {
    expect(plain.summary(results).match(/^(fail|blocked) +\S+/gm)).toEqual(['fail     token/code-exchange'])
    const summary = plain.summary({ ...results, results: results.results.slice(3) })
    expect(summary.split('\n')).toEqual(
      expect.arrayContaining([
        'blocked  userinfo/signed',
        '  POST /token gave no access token for the code (status 400)',
        expect.stringMatching(/^ {2}likely cause: {2}This rule was not reached: .* Look there first\.$/),
      ]),
    )
  })

  test('leaves the exchanges, notes, skips and usual readings to those who ask for them', () => {
    const noted = results.results.map((result) => ({ ...result, notes: ['by the way'] }))
    const skipped = noted.map((result, i) =>
      i === 0 ? { ...result, status: 'skip' as const, reason: 'no door' } : result,
    )
    const run = { ...results, results: skipped }
    const more = /^( {2}exchange|note {5}|skip {5}1 because no door: discovery|reading {2}AMB-15=ok)/m
    expect(plain.summary(run)).not.toMatch(more)
    expect(plain.summary(run)).toContain('skip     1 rule; --verbose and report.html say why')
    expect(verbose.summary(run).match(new RegExp(more, 'gm'))?.length).toBe(7)
    const created = results.readings.map((reading) => ({ ...reading, reading: 'created' }))
    expect(plain.summary({ ...results, readings: created })).toContain('reading  AMB-15=created: ')
    expect(plain.summary(results).match(/^agreed .*/gm)).toEqual([
      expect.stringMatching(
        /^agreed {3}scopes: openid profile\.name profile\.email \(preferred: openid .* offline_access\)$/,
      ),
      'agreed   grants: authorization_code (preferred: authorization_code, refresh_token)',
    ])
  })

  test('tells of a pass that had less to judge than at the bundled bank', () => {
    const judging = results.results.map((result, i) => ({ ...result, judged: 3, judgedAtBundledBank: i === 0 ? 5 : 3 }))
    const run = { ...results, results: judging }
    const rule = judging[0]?.rule
    expect(judging[0]?.status).toBe('pass')
    expect(plain.summary(run).match(/^less .*/gm)).toEqual([
      'less     1 rule that passes had less to judge than at the bundled bank; --verbose and report.html say how much',
    ])
    const words = 'judged 3 of the 5 things that it judges at the bundled bank'
    expect(verbose.summary(run).match(/^less .*/gm)).toEqual([`less     ${rule}: ${words}`])
    expect(htmlReport(run)).toContain(words)
    const whole = results.results.map((result) => ({ ...result, judged: 3, judgedAtBundledBank: 3 }))
    expect(plain.summary({ ...results, results: whole })).not.toMatch(/^less /m)
  })

  test('begins with what failed, and tells what has one cause once', () => {
    const [first, second, third, fourth] = results.results
    if (!first || !second || !third || !fourth) throw new Error('four rules were run')
    const reason = 'the target file: login.pages.sign-in: the page came back'
    const misjudged = { status: 'error' as const, targetAtFault: true as const, reason }
    const summary = plain.summary({
      ...results,
      results: [{ ...first, ...misjudged }, fourth, { ...second, ...misjudged }, third],
    })
    expect(summary.match(/^(fail|error|blocked) +\S+/gm)).toEqual([
      'fail     token/code-exchange',
      'error    discovery/document',
    ])
    expect(summary).toContain('\n  the same of:   1 more: registration/create\n')
    expect(summary.split('\n').at(-3)).toBe(`2 rules could not be judged, all for the same reason: ${reason}`)
  })

  test('says when results are requests that were not answered in time', () => {
    const late = results.evidence.map((item) =>
      item.id === results.results[2]?.finding?.evidence
        ? { ...item, failure: 'the bank did not answer within 10 s' }
        : item,
    )
    const summary = plain.summary({ ...results, evidence: late })
    expect(summary.split('\n').at(-3)).toMatch(
      /^2 of the results are requests that were not answered in time\. If load/,
    )
    expect(plain.summary(results)).not.toContain('answered in time')
  })

  test('tells readings, what is left at the bank, and the run', () => {
    const lines = verbose.summary(results).split('\n')
    expect(lines.at(-2)).toBe('The bank breaks 1 rule about what it must do; 1 more could not be reached.')
    expect(lines).toContain('reading  AMB-15=ok: 200')
    expect(lines).toContain('agreed   client authentication: private_key_jwt, PS512')
    const left = results.registrationsLeft.map(({ clientId }) => clientId)
    expect(lines).toContain(
      left.length === 1
        ? `left     registration ${left[0]} still exists: the bank answers DELETE with status 500`
        : `left     ${left.length} registrations still exist: the bank answers DELETE with status 500: ${left.join(', ')}`,
    )
    expect(lines).toContain(`The selection left out ${rules.length - results.results.length} rules.`)
    expect(lines.at(-1)).toMatch(
      /^https:\/\/localhost:\d+ {2}edition 1\.2 {2}2 pass, 1 fail, 1 blocked {2}\d+ ms {2}seed abc$/,
    )
  })

  test('tells registrations that are left for one reason in one line', () => {
    const registrationsLeft = ['c1', 'c2', 'c3', 'c4', 'c5'].map((clientId) => ({
      clientId,
      reason: clientId === 'c5' ? 'gone' : `DELETE /register/${clientId}: the bank closed the connection`,
    }))
    const left = (report: ConsoleReport) =>
      report
        .summary({ ...results, registrationsLeft })
        .split('\n')
        .filter((line) => line.startsWith('left'))
    const cause = 'DELETE /register/{client_id}: the bank closed the connection'
    expect(left(plain)).toEqual([
      `left     4 registrations still exist: ${cause}: c1, c2, c3 and 1 more (report.json names them)`,
      'left     registration c5 still exists: gone',
    ])
    expect(left(verbose)[0]).toBe(`left     4 registrations still exist: ${cause}: c1, c2, c3, c4`)
  })

  test('has colours only when they are wanted', () => {
    const styled = consoleReport({ styled: true }).summary(results)
    expect(stripVTControlCharacters(plain.summary(results))).toBe(plain.summary(results))
    expect(stripVTControlCharacters(styled)).toBe(plain.summary(results))
  })
})

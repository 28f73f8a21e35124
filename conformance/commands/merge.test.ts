import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { validate } from '../../schemas/index.js'
import type { Results } from '../harness/results.js'
import { exitCodes } from '../output.js'
import type { Card } from '../reports/card.js'
import { bankForFile } from '../testing/banks.js'
import { command } from '../testing/command.js'
import { rulesKept, targetFileOf } from '../testing/foreign-bank.js'
import { json } from '../testing/https-server.js'
import { targetDirectory } from '../testing/target-file.js'

type Told = Omit<Results, 'results'> & { results: (Results['results'][number] & { card?: Card })[] }

const directory = await targetDirectory()
const bank = await bankForFile(() => ({ 'POST /token': () => json({ error: 'no-such-code' }, 400) }))
const target = directory.write('target.yaml', stringify(targetFileOf(bank)))
const selection = ['--only', ...rulesKept, 'errors/direct-throughout']
const out = (name: string) => join(directory.path, name)
const report = (name: string): Told => JSON.parse(readFileSync(join(out(name), 'report.json'), 'utf8'))
const reports = (...names: string[]) => names.map((name) => join(out(name), 'report.json'))
const run = (name: string, ...args: string[]) => command(['run', '--target', target, '--out', out(name), ...args])
const merge = (...names: string[]) => command(['merge', ...reports(...names), '--out', out('merged')])

/** What a card says of evidence by its number, and of rules of another part. */
const ofOthers = { did: undefined, cause: undefined }

beforeAll(async () => {
  for (const part of ['1', '2', '3']) {
    const { err } = await run(part, ...selection, '--shard', `${part}/3`, '--seed', 'abc')
    expect(err).toBe('')
  }
})
afterAll(() => directory.remove())

describe('conformance merge', () => {
  test('makes of the parts the report of the whole run', async () => {
    const { code, out: printed, err } = await merge('3', '1', '2')
    expect({ code, err }).toEqual({ code: exitCodes.bankFailed, err: '' })
    await run('whole', ...selection)
    const [whole, merged] = [report('whole'), report('merged')]
    expect(validate('report', merged)).toEqual([])
    const statuses = ({ results }: Told) => results.map(({ rule, status, blockedBy }) => [rule, status, blockedBy])
    expect(statuses(merged)).toEqual(statuses(whole))
    expect(merged).toMatchObject({ counts: whole.counts, partial: false, notRun: [], readings: whole.readings })
    expect(merged.selection).toEqual(whole.selection)
    expect(printed).toContain(`${whole.counts.fail} fail, ${whole.counts.blocked} blocked`)
    expect(merged.parts?.map(({ shard, seed }) => [shard, seed])).toEqual([
      ['1/3', 'abc.1'],
      ['2/3', 'abc.2'],
      ['3/3', 'abc.3'],
    ])
    const own = merged.parts?.flatMap(({ rules }) => rules)
    expect(own?.sort()).toEqual(merged.results.map(({ rule }) => rule))
  })

  test('tells each failure as its part did, by evidence of its own', async () => {
    await merge('1', '2', '3')
    const merged = report('merged')
    const ids = merged.evidence.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const part of ['1', '2', '3'].map(report)) {
      const own = merged.parts?.find(({ shard }) => shard === part.selection.shard)?.rules
      for (const { rule, card, finding } of part.results.filter(
        (result) => result.card && own?.includes(result.rule),
      )) {
        const same = merged.results.find((result) => result.rule === rule)
        expect({ ...same?.card, ...ofOthers }).toEqual({ ...card, ...ofOthers })
        const shown = (of: Told, id = '') => of.evidence.find((item) => item.id === id)
        const [before, now] = [shown(part, finding?.evidence), shown(merged, same?.finding?.evidence)]
        expect({ ...now, id: '' }).toEqual({ ...before, id: '' })
      }
    }
    const again = merged.results.find(({ rule }) => rule === 'token/code-exchange')?.card?.again
    expect(again).toMatch(/--only token\/code-exchange --seed abc\.\d$/)
  })

  test('tells the rules of a part that is missing as not run, and is no success', async () => {
    const { code, out: printed } = await merge('1', '3')
    expect(code).toBe(exitCodes.harnessFailed)
    const missing = report('2').results.flatMap(({ rule }) => (rule === 'errors/direct-throughout' ? [] : [rule]))
    expect(report('merged')).toMatchObject({ partial: true, notRun: missing })
    expect(printed).toContain(`Part 2/3 is missing; rules without a result: ${missing.join(', ')}`)
  })

  test('takes no reports that are not the parts of one run', async () => {
    await run('whole', ...selection)
    await run('less', ...selection, '--all-evidence')
    await run('other', '--only', ...rulesKept, '--shard', '2/3')
    const refused = async (...names: string[]) => {
      const { code, err } = await merge(...names)
      expect(code).toBe(exitCodes.usage)
      return err.replaceAll(`${directory.path}/`, '').replaceAll('/report.json', '')
    }
    expect(await refused('1', '1')).toBe('1 is part 1/3, and so is 1')
    expect(await refused('1', 'less')).toBe('less is no part of a run: parts are made with run --shard')
    expect(await refused('1', 'whole')).toBe(
      'whole has not all of its evidence: run writes it with --all-evidence, and with --shard',
    )
    expect(await refused('1', 'other')).toMatch(/^other is another run than 1 by its selection: /)
    expect(await refused('none')).toBe('the report none cannot be read (there is no such file or folder)')
  })

  test.each<[string, (told: Told) => object]>([
    ['began in a leap second', () => ({ started: '2016-12-31T23:59:60Z' })],
    ['saw its keys in one', ({ keySet }) => ({ keySet: { ...keySet, at: '2016-12-31T23:59:60Z' } })],
    ['is part 9 of 3', ({ selection }) => ({ selection: { ...selection, shard: '9/3' } })],
  ])('takes no report that %s: nothing can be reckoned with it', async (_which, changes) => {
    const told = report('1')
    const odd = directory.write('odd.json', JSON.stringify({ ...told, ...changes(told) }))
    expect(await command(['merge', odd, ...reports('2'), '--out', out('merged')])).toMatchObject({
      code: exitCodes.usage,
      err: `${odd} is not a report.json of this version`,
    })
  })
})

describe('conformance run --shard', () => {
  test.each(['2', '0/3', '4/3', '1/3/5', 'a/b'])('is no %s', async (value) => {
    const { code, err } = await run('wrong', '--shard', value)
    expect(code).toBe(exitCodes.usage)
    expect(err).toContain('give which part of how many, such as 2/5.')
  })

  test('needs a rule for the part, and is for no certification', async () => {
    const { code, err } = await run('wrong', '--only', 'HEALTH-1', '--shard', '5/9')
    expect(code).toBe(exitCodes.nothingSelected)
    expect(err).toBe('the selection leaves no rule for part 5 of 9')
    const certified = await run('wrong', '--certify', '--shard', '1/2')
    expect(certified.code).toBe(exitCodes.usage)
    expect(certified.err).toContain('a certification runs the whole plan: leave --shard out')
  })
})

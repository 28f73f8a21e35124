import { openEdition } from '../../schemas/editions/index.js'
import type { Target } from '../target/target.js'
import { type Expenses, planOf } from './plan.js'
import { rule } from './rule.js'

const target: Target = {
  issuer: 'https://bank.example',
  people: [{ login: 'jana', password: 'secret', kinds: ['full'] }],
  pages: new Map([['sign-in', { when: 'form', fill: {}, actions: { submit: 'button' } }]]),
  client: { clientId: 'c', keys: [], record: { redirect_uris: ['https://rp.example/cb'], scope: 'openid' } },
  concurrency: 1,
  timeoutSeconds: 1,
}
const server = { host: 'localhost', port: 0, url: 'https://localhost:{port}', certificate: { cert: '', key: '' } }
const byHand = { ...target, server, login: { by: 'person' as const, signIns: 4 } }

const made = (slug: string, needs: Parameters<typeof rule>[0]['needs'] = ['client', 'person']) =>
  rule({ id: `testing/${slug}`, requirement: 'TOK-2', title: 'Tests', needs, async check() {} })

const rules = [
  made('none', []),
  made('shares'),
  made('shares-too'),
  made('ends'),
  made('dear'),
  made('page-detection', ['page-detection']),
]
const expenses: Expenses = {
  apart: [
    { rules: ['testing/shares', 'testing/shares-too'], exchanges: 10, signIns: 1, approvals: 1 },
    { rules: ['testing/dear'], exchanges: 10, signIns: 7, approvals: 3 },
    { rules: ['testing/ends'], exchanges: 10, signIns: 2, approvals: 0 },
    { rules: ['testing/page-detection'], exchanges: 10, signIns: 5, approvals: 5 },
  ],
  byHand: [
    { rules: ['testing/shares', 'testing/shares-too'], exchanges: 10, signIns: 0, approvals: 1 },
    { rules: ['testing/dear'], exchanges: 10, signIns: 3, approvals: 3 },
    { rules: ['testing/ends'], exchanges: 10, signIns: 2, approvals: 0 },
  ],
}

describe('a plan', () => {
  test('counts a shared login once, and nothing of rules that are skipped', () => {
    const plan = planOf(openEdition(), rules, target, expenses)
    expect(plan.cost).toEqual({ exchanges: 30, signIns: 10, approvals: 4 })
    expect([...plan.skips]).toEqual([
      ['testing/page-detection', 'login.pages of the target file has no page named consent'],
    ])
  })

  test('by hand opens a session once, and leaves out what is dearer than is allowed', () => {
    const plan = planOf(openEdition(), rules, byHand, expenses)
    expect(plan.cost).toEqual({ exchanges: 20, signIns: 3, approvals: 1 })
    expect(plan.most).toEqual({ exchanges: 20, signIns: 3, approvals: 1 })
    expect([...plan.skips]).toEqual([
      ['testing/page-detection', 'a person who logs in by hand does not report which pages the bank shows'],
      ['testing/dear', 'it costs 3 more sign-ins by hand, and login.sign_ins allows 4'],
    ])
  })

  test('names the edition, and holds every rule with its requirement, those that are skipped too', () => {
    const plan = planOf(openEdition('1.2'), rules, target, expenses)
    expect(plan.edition).toBe(openEdition('1.2'))
    expect(plan.rules.map(({ id, requirement }) => [id, requirement.level])).toEqual(
      rules.map(({ id }) => [id, 'MUST']),
    )
    expect(plan.runs).toHaveLength(rules.length - 1)
  })

  test('costs nothing where nobody logs in', () => {
    expect(planOf(openEdition(), [made('none', [])], byHand, expenses).cost).toEqual({
      exchanges: 0,
      signIns: 0,
      approvals: 0,
    })
  })

  test('by hand needs a server to come back to', () => {
    const { server: _, ...without } = byHand
    expect(planOf(openEdition(), [made('ends')], without, expenses).skips.get('testing/ends')).toBe(
      'a person who logs in by hand returns to service.server, which the target file does not name',
    )
  })

  test('has those that judge what the others asked for after them, and has time pass at the end', () => {
    const later = [made('clock', ['clock']), { ...made('last'), last: true }, ...rules]
    const ids = planOf(openEdition(), later, target, expenses).rules.map(({ id }) => id)
    expect(ids.slice(-3)).toEqual(['testing/page-detection', 'testing/last', 'testing/clock'])
  })
})

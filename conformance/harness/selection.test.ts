import { rule } from './rule.js'
import { SelectionError, select } from './selection.js'

const made = (id: string, requirement: string) => rule({ id, requirement, title: id, check: async () => {} })
const rules = [
  made('token/code-exchange', 'TOK-1'),
  made('token/scope-listed', 'TOK-2'),
  made('token/single-use', 'TOK-12'),
  made('userinfo/signed', 'DATA-1'),
]
const ids = (only: string[], skip: string[] = []) => select(rules, { only, skip }).map(({ id }) => id)

describe('a selection', () => {
  test('is everything without patterns', () => {
    expect(ids([])).toEqual(rules.map(({ id }) => id))
  })

  test('takes rule ids, whole or with *', () => {
    expect(ids(['token/scope-listed'])).toEqual(['token/scope-listed'])
    expect(ids(['token/*'])).toEqual(['token/code-exchange', 'token/scope-listed', 'token/single-use'])
    expect(ids(['*/s*'])).toEqual(['token/scope-listed', 'token/single-use', 'userinfo/signed'])
  })

  test('takes requirement ids, whole or with *', () => {
    expect(ids(['TOK-1'])).toEqual(['token/code-exchange'])
    expect(ids(['TOK-1*'])).toEqual(['token/code-exchange', 'token/single-use'])
    expect(ids(['DATA-*', 'TOK-2'])).toEqual(['token/scope-listed', 'userinfo/signed'])
  })

  test('leaves out what is skipped', () => {
    expect(ids(['TOK-*'], ['token/single-use'])).toEqual(['token/code-exchange', 'token/scope-listed'])
  })

  test('leaves out what a negated pattern matches, in whatever place it stands', () => {
    expect(ids(['TOK-*', '!token/single-use'])).toEqual(['token/code-exchange', 'token/scope-listed'])
    expect(ids(['!DATA-*', 'token/s*'])).toEqual(['token/scope-listed', 'token/single-use'])
    expect(ids(['!token/*'])).toEqual(['userinfo/signed'])
    expect(() => ids(['!nothing/*'])).toThrow(
      new SelectionError('nothing/* matches no rule and no requirement of a rule'),
    )
  })

  test('names a pattern that matches nothing', () => {
    expect(() => ids(['TOK-1', 'tokens/*'])).toThrow(
      new SelectionError('tokens/* matches no rule and no requirement of a rule; did you mean token/*?'),
    )
    expect(() => ids(['tokn/scope-listd'])).toThrow(
      new SelectionError(
        'tokn/scope-listd matches no rule and no requirement of a rule; did you mean token/scope-listed?',
      ),
    )
    expect(() => ids([], ['token.scope-listed'])).toThrow(SelectionError)
  })

  test('that leaves nothing is a mistake', () => {
    expect(() => ids(['TOK-2'], ['token/*'])).toThrow(new SelectionError('the selection leaves no rule to run'))
  })
})

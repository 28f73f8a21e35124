import { rule } from './rule.js'

const check = async () => {}

describe('a rule', () => {
  test('needs nothing and locks nothing unless it says so', () => {
    expect(rule({ id: 'a/b', requirement: 'TOK-1', title: 'x', check })).toMatchObject({
      needs: [],
      alone: [],
      waits: false,
      last: false,
    })
  })

  test('is refused with an id that is no topic/slug', () => {
    expect(() => rule({ id: 'Token', requirement: 'TOK-1', title: 'x', check })).toThrow(
      'Token is not a rule id of the form topic/slug',
    )
  })
})

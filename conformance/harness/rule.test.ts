import { rule } from './rule.js'

const check = async () => {}

describe('a rule', () => {
  test('takes its level from the requirement', () => {
    expect(rule({ id: 'a/b', requirement: 'CONS-1', title: 'x', check }).requirement.level).toBe('MAY')
  })

  test('needs nothing and locks nothing unless it says so', () => {
    expect(rule({ id: 'a/b', requirement: 'TOK-1', title: 'x', check })).toMatchObject({
      needs: [],
      alone: [],
      waits: false,
    })
  })

  test('is refused with an id that is no topic/slug', () => {
    expect(() => rule({ id: 'Token', requirement: 'TOK-1', title: 'x', check })).toThrow(
      'Token is not a rule id of the form topic/slug',
    )
  })

  test('is refused for a requirement that does not exist, or that others show', () => {
    expect(() => rule({ id: 'a/b', requirement: 'TOK-999', title: 'x', check })).toThrow(
      'requirements.yaml has no TOK-999',
    )
    expect(() => rule({ id: 'a/b', requirement: 'JWKS-5', title: 'x', check })).toThrow(
      'a/b: JWKS-5 is not shown by the harness but by mock',
    )
    expect(rule({ id: 'a/b', requirement: 'JWKS-5', title: 'x', check, needs: ['clock'] }).requirement.by).toBe('mock')
  })
})

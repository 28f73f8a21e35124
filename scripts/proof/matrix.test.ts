import { compareMatrix } from './matrix.js'

test('a matrix that differs from the one checked in is told row by row', () => {
  const row = (status: string) => ({ title: 'One', red: { 'a/x': status } })
  const checkedIn = { 'f/one': row('fail'), 'f/gone': { title: 'Gone', red: {} } }
  expect(compareMatrix(checkedIn, { 'f/one': row('fail') }, false)).toEqual([])
  expect(compareMatrix(checkedIn, { 'f/one': row('warn') }, false)).toEqual([
    expect.stringContaining('(npm run prove -- --only f/one --update writes it)'),
  ])
  expect(compareMatrix(checkedIn, { 'f/one': row('warn') }, true)).toEqual([
    'matrix: f/one was {"title":"One","red":{"a/x":"fail"}}, is {"title":"One","red":{"a/x":"warn"}} (npm run prove -- --update writes it)',
    'matrix: f/gone was {"title":"Gone","red":{}}, is absent (npm run prove -- --update writes it)',
  ])
})

test('in which variation a fault is noticed is no difference', () => {
  const row = { title: 'One', red: { 'a/x': 'fail' } }
  expect(compareMatrix({ 'f/one': { ...row, in: { 'a/x': 'the first' } } }, { 'f/one': row }, true)).toEqual([])
})

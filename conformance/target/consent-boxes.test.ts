import { boxOf, byBox } from './consent-boxes.js'

const contact = { boxes: { '#contact': ['email', 'phone'], '#who': ['name', 'birthdate'] } }

test('groups scopes by the box that stands for them, in their order', () => {
  const scopes = ['name', 'email', 'gender', 'birthdate', 'phone']
  expect(byBox([contact], scopes)).toEqual([['name', 'birthdate'], ['email', 'phone'], ['gender']])
  expect(byBox([{ scope: '#{scope}' }], scopes)).toEqual(scopes.map((scope) => [scope]))
  expect(byBox([], [])).toEqual([])
})

test('takes scopes together that have a box in common on any page', () => {
  const other = { boxes: { '#a': ['phone', 'name'] } }
  expect(byBox([contact, other], ['gender', 'email', 'name', 'phone', 'birthdate'])).toEqual([
    ['gender'],
    ['email', 'name', 'phone', 'birthdate'],
  ])
})

test('finds the box of a scope: one that stands for several before one of its own', () => {
  expect(boxOf({ ...contact, scope: '[value="{scope}"]' }, 'phone')).toBe('#contact')
  expect(boxOf({ ...contact, scope: '[value="{scope}"]' }, 'gender')).toBe('[value="gender"]')
  expect(boxOf(contact, 'gender')).toBeUndefined()
})

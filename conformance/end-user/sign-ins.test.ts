import { TargetError } from '../target/target-error.js'
import { SignIn, SignIns } from './sign-ins.js'

const page = { when: 'form', fill: { '[name=pin]': '{password}' }, actions: {} }
const person = { login: 'jana', password: 'p', kinds: ['full'] }

/** A visit that is about to enter the password. */
function visit(signIns: SignIns, task: { person?: typeof person } = { person }) {
  const signIn = new SignIn(signIns, { redirectUris: [], ...task })
  return { signIn, begun: signIn.begin(page) }
}

const state = (work: Promise<unknown>) =>
  Promise.race([
    work.then(
      () => 'begun',
      (error: Error) => error.message,
    ),
    new Promise((resolve) => setTimeout(resolve, 5, 'waiting')),
  ])

test('a password is entered by one visit alone until the bank has taken it', async () => {
  const signIns = new SignIns()
  const [first, second] = [visit(signIns), visit(signIns)]
  expect([await state(first.begun), await state(second.begun)]).toEqual(['begun', 'waiting'])
  first.signIn.end('taken')
  expect([await state(second.begun), await state(visit(signIns).begun)]).toEqual(['begun', 'begun'])
})

test('a password that was refused is not entered again', async () => {
  const signIns = new SignIns()
  const [first, second] = [visit(signIns), visit(signIns)]
  await first.begun
  first.signIn.end(new TargetError(['refused']))
  first.signIn.end('unknown')
  expect([await state(second.begun), await state(visit(signIns).begun)]).toEqual(['refused', 'refused'])
  expect(await state(visit(signIns, { person: { ...person, login: 'petr' } }).begun)).toBe('begun')
})

test('where nothing is known of the first, the next one tries', async () => {
  const signIns = new SignIns()
  const [first, second, third] = [visit(signIns), visit(signIns), visit(signIns)]
  await first.begun
  first.signIn.end('unknown')
  expect([await state(second.begun), await state(third.begun)]).toEqual(['begun', 'waiting'])
})

test('a page that takes no password waits for nobody', async () => {
  const signIns = new SignIns()
  await visit(signIns).begun
  expect(
    await state(
      new SignIn(signIns, { person, redirectUris: [] }).begin({ ...page, fill: { '[name=user]': '{login}' } }),
    ),
  ).toBe('begun')
  expect(await state(visit(signIns, {}).begun)).toBe('begun')
})

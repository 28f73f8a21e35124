import { type RequestHandler, Router } from 'express'
import { examine } from '../conformance/examine.js'
import { groupedBoxes } from './proof/fronts/grouped-boxes.js'
import { onePage, pagesInOne } from './proof/fronts/one-page.js'
import { type Shape, withBankOf, withShapedBank } from './proof/shapes.js'

const judging = [
  ...['unticked', 'unticked-refreshed', 'approved-data', 'openid-alone-part'].map((name) => `consent/${name}`),
  'token/scope-listed-in-part',
]

const inOrder = (results: readonly { rule: string; status: string }[]) =>
  Object.fromEntries(judging.map((rule) => [rule, results.find((one) => one.rule === rule)?.status]))

/** Grants a scope of each box that is unticked: the last of which it asks. */
const leaking: RequestHandler = (req, _res, next) => {
  const { body } = req
  const ticked = [body?.group ?? []].flat()
  const leaked = Object.entries<string>(body ?? {}).flatMap(([name, scopes]) => {
    const [, group] = /^of\.(.*)$/.exec(name) ?? []
    return group === undefined || ticked.includes(group) ? [] : scopes.split(' ').slice(-1)
  })
  if (leaked.length > 0) req.body = { ...body, scope: [body.scope ?? [], leaked].flat() }
  next()
}

test('a bank that grants one scope of a box that is unticked fails the rules that untick it', async () => {
  const shape: Shape = {
    front: () => Router().use(groupedBoxes()).use('/interaction', leaking).use(onePage()),
    target: () => ({ pages: new Map(Object.entries(pagesInOne)) }),
  }
  const { results } = await withBankOf({}, shape, (target) => examine({ target, only: judging }))
  expect(inOrder(results)).toEqual(Object.fromEntries(judging.map((rule) => [rule, 'fail'])))
})

test.each([
  ['consent/unticked-first', 'consent/unticked'],
  ['consent/unticked-last', 'consent/unticked'],
  ['consent/unticked-on-refresh', 'consent/unticked-refreshed'],
  ['consent/required-box-free', 'consent/required-box'],
  ['consent/boxes-of-all-scopes', 'consent/boxes-asked'],
  ['consent/withdrawal-ignored', 'consent/withdrawn'],
])('the fault %s fails %s where boxes stand for several scopes', async (fault, rule) => {
  const { results } = await withShapedBank({ faults: [fault] }, ['all on one page'], (target) =>
    examine({ target, only: [rule] }),
  )
  expect(results[0]?.status).toBe('fail')
})

import { inTurn } from './in-turn.js'

test('work with the same one is begun once what came before has ended, even where that failed; with another at once', async () => {
  const [one, another] = [{}, {}]
  const told: string[] = []
  let fail = () => {}
  const first = inTurn(one, () => {
    told.push('first begun')
    return new Promise<void>((_, reject) => {
      fail = () => reject(new Error('first failed'))
    })
  })
  const second = inTurn(one, async () => told.push('second begun'))
  await inTurn(another, async () => told.push('another begun'))
  expect(told).toEqual(['first begun', 'another begun'])
  fail()
  await expect(first).rejects.toThrow('first failed')
  await second
  expect(told).toEqual(['first begun', 'another begun', 'second begun'])
})

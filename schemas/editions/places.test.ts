import { openEdition } from './index.js'
import { readPlaces } from './places.js'

const { requirements } = openEdition('1.2')
const places = readPlaces('1.2')

test('a place is named by its terms, in the order of the dimensions', () => {
  const names = [...places.values()].flat().map(({ name }) => name)
  for (const name of names) expect(name).toMatch(/^(everywhere|[a-z-]+=\S+( [a-z-]+=\S+)*)$/)
})

test('what cannot be seen from outside says why', () => {
  const unseen = [...places.values()].flat().flatMap((place) => place.unseen ?? [])
  for (const reason of unseen) expect(reason.length).toBeGreaterThan(20)
})

test('places belong to requirements', () => {
  const ids = requirements.map(({ id }) => id)
  expect([...places.keys()].filter((id) => !ids.includes(id))).toEqual([])
})

import { resetClock, setClock } from '../../bank-idp/clock.js'
import work from './worker.js'

afterEach(resetClock)

const lastYear = new Date().getUTCFullYear() - 1

test.each([
  ['when it is the next day in Prague already', 'profile/age-after-birthday', Date.UTC(lastYear, 10, 26, 23, 30)],
  ['on the last day of a year', 'profile/age-by-year', Date.UTC(lastYear, 11, 31, 12)],
  ['in the last hour of a year', 'profile/age-by-year', Date.UTC(lastYear, 11, 31, 23, 30)],
])('a mistake of a day in an age is seen %s', async (_when, fault, time) => {
  setClock(time)
  const outcomes = await work({ options: { faults: [fault] }, rules: ['profile/everyone'] })
  expect(outcomes.map(({ rule, status }) => ({ rule, status }))).toEqual([{ rule: 'profile/everyone', status: 'fail' }])
})

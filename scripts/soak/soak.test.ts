import { killBank } from './kills.js'
import { slowPeers } from './peers.js'
import { raceBank } from './races.js'
import { restartBank } from './restarts.js'

test.each([
  ['races for what can be used once', () => raceBank({ rounds: 1, atOnce: 5 })],
  ['kill -9 under load of every kind of write', () => killBank({ rounds: 1, atOnce: 10, writes: 20 })],
  [
    'kill -9 of one of several processes, and of the PostgreSQL under them',
    () => killBank({ rounds: 2, atOnce: 10, writes: 20, replicas: 2 }),
  ],
  ['slow and idle peers', () => slowPeers({ connections: 3, requests: 10 })],
  ['stops and starts under load', () => restartBank({ rounds: 1, atOnce: 5, answers: 20 })],
])('nothing is lost by %s', async (_what, soak) => {
  const rows = await soak()
  expect(rows.filter(({ lost }) => lost.length > 0)).toEqual([])
  // Nothing is lost where nothing was tried.
  expect(rows.filter(({ tried }) => tried === 0)).toEqual([])
})

/** Those whose loss need not show: what was ended did not begin either, and whoever is to hear of it may have. Faults show that they are looked at. */
const ends = ['end of a registration', 'logout', 'revocation', 'revocation of a refresh token']

test('a disk that forgets is told of every kind of write by the kills', async () => {
  const rows = await killBank({ rounds: 1, atOnce: 10, writes: 20, forgets: true })
  expect(rows.filter(({ tried }) => tried === 0)).toEqual([])
  const untold = rows.filter(({ lost }) => lost.length === 0).map(({ what }) => what.replace('kill -9: ', ''))
  expect(untold.filter((what) => !ends.includes(what))).toEqual(['starts after kill -9'])
})

/** Which rows have a loss, by the faults of the bank. */
test.each([
  [
    'races',
    (faults: string[]) => raceBank({ rounds: 1, atOnce: 3, faults }),
    {
      'token/code-usable-twice': 'uses of a code',
      'token/refresh-old-alive': 'uses of a refresh token',
      'client-assertion/replay-unchecked-token-info': 'uses of the jti of a client assertion',
      'signing/twice': 'uses of the request_uri of a signature, in a browser each',
    },
  ],
  [
    'kills',
    (faults: string[]) => killBank({ rounds: 1, atOnce: 10, writes: 20, faults }),
    {
      'registration/put-merges': ': change of a registration',
      'registration/delete-without-effect': ': end of a registration',
      'logout/session-stays': ': logout',
      'revocation/forgotten': ': revocation',
      'notification/lost': ': notification',
    },
  ],
  [
    'kills of another bank',
    (faults: string[]) => killBank({ rounds: 1, atOnce: 10, writes: 20, faults }),
    {
      'registration/put-keeps-client-name': ': change of a registration',
      'revocation/refresh-token-forgotten': ': revocation of a refresh token',
      'notification/nobody-told': ': notification',
    },
  ],
])('what a bank with a fault of its storage loses is told by the %s', async (_what, soak, lost) => {
  const rows = await soak(Object.keys(lost))
  const found = rows.filter((row) => row.lost.length > 0).map(({ what }) => what)
  expect(found).toEqual(Object.values(lost).map((end) => expect.stringContaining(end)))
})

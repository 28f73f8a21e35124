import { keysGone } from './keys-seen.js'

const key = (kid: string, signed: boolean, use = 'sig') => ({ kid, use, signed })
const old = {
  at: '2026-01-31T08:00:00.000Z',
  keys: [key('signing', true), key('retired', false), key('encryption', true, 'enc')],
}
const gone = (at: string, ...kids: string[]) => keysGone(old, { at, keys: kids.map((kid) => key(kid, false)) })

describe('a signing key that is no longer published', () => {
  test('is gone too early when it was seen to sign less than a year before', () => {
    expect(gone('2027-01-31T07:59:59.000Z', 'retired', 'new')).toEqual([
      {
        kid: 'signing',
        verdict: 'too early',
        description:
          'signed on 2026-01-31 and is no longer published: it must stay published until 2027-01-31 at least',
      },
    ])
  })

  test('may have expired long before when it was not seen to sign', () => {
    expect(gone('2026-02-01T00:00:00.000Z', 'signing')).toMatchObject([{ kid: 'retired', verdict: 'unknown' }])
  })

  test('is no finding a year later', () => {
    expect(gone('2027-01-31T08:00:00.000Z')).toMatchObject([
      { kid: 'signing', verdict: 'over' },
      { kid: 'retired', verdict: 'over' },
    ])
  })
})

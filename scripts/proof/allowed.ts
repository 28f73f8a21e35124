import type { Allowed } from './judge.js'

/** What the bundled bank is known to be skipped or warned for, by rule, with the reason. It should be empty, and is short. */
export const allowed: Allowed = {
  skip: {
    'health/outage-told':
      'only an outage shows it, which would end all other rules; the variants of AMB-18 and AMB-57 have one',
  },
  warn: {},
}

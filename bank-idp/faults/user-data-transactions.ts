import type { BankFacts } from '../seams.js'
import type { Fault } from './fault.js'
import { claimFaults, endpoints } from './user-data-seam.js'

/** Of a txn: what tells the transaction, and the scopes that it names. */
function partsOf(txn: unknown): { id: string; scopes: string[] } {
  const [id = '', ...scopes] = String(txn).split(':')
  return { id, scopes }
}

const txnOf = (id: string, scopes: readonly string[]) => [id, ...scopes].join(':')

/** What txn says of a call (published). */
const changes: readonly {
  slug: string
  value: string
  title: string
  collateral?: Record<string, string>
  change(parts: ReturnType<typeof partsOf>, bank: BankFacts): string | undefined
}[] = [
  {
    slug: 'txn-with-every-scope',
    value: 'superset',
    title: 'names every scope of the bank in txn, whatever was granted',
    change: ({ id }, { scopes }) => txnOf(id, scopes),
  },
  {
    slug: 'txn-with-first-scopes',
    value: 'missing',
    title: 'names two scopes in txn at the most',
    change: ({ id, scopes }) => txnOf(id, scopes.slice(0, 2)),
  },
  {
    slug: 'no-txn',
    value: 'missing',
    title: 'tells no txn',
    collateral: Object.fromEntries(
      ['openid-only', 'refreshed-openid-only', 'scope-of-other-endpoint'].map((rule) => [
        `user-data/${rule}`,
        'nothing but sub and txn is looked for',
      ]),
    ),
    change: () => undefined,
  },
]

export const userDataTransactionFaults: readonly Fault[] = endpoints.flatMap((endpoint) =>
  claimFaults(
    endpoint,
    ['DATA-21'],
    changes.map(({ slug, value, title, collateral, change }) => ({
      slug,
      ...(collateral && { collateral }),
      places: [`endpoint=${endpoint} value=${value}`],
      title: `${endpoint} ${title}`,
      change: (claims, bank) => ({ ...claims, txn: change(partsOf(claims.txn), bank) }),
    })),
  ),
)

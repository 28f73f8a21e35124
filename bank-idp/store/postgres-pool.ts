import type { Pool, PoolConfig } from 'pg'

/** Milliseconds for which a connection is waited for. */
export const connectionPatienceMs = 5_000

/** Milliseconds for which an answer is waited for: who asked the bank waits that long too. */
export const answerPatienceMs = 10_000

/**
 * Connections to PostgreSQL whose loss ends nothing but what was asked by them: the next use finds another one, or says why there is none.
 *
 * @param url postgres://user:password@host:port/database?sslmode=…
 */
export async function postgresPool(url: string, config: PoolConfig): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: connectionPatienceMs, ...config })
  // Of a connection that nobody has, and of one that somebody has who asks nothing at the moment: an error that nobody hears would end the process.
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  return pool
}

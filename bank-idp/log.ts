/** One thing that happened. Never a secret, never personal data. */
export type LogEntry =
  | {
      event: 'request'
      method: string
      path: string
      status: number
      milliseconds: number
      client?: string
      /** The code of the error that it was refused with, and the name of the check that refused. */
      error?: string
      check?: string
      trace: string
    }
  | { event: 'notice'; message: string }
  | {
      event: 'delivery'
      receiver: string
      jti: string
      attempts: number
      outcome: 'delivered' | 'failed' | 'split' | 'given up'
      problem?: string
    }
  | { event: 'error'; message: string; stack?: string; trace?: string }

export type Log = (entry: LogEntry) => void

/// <reference types="node" preserve="true" />
import type { RequestListener } from 'node:http'
import type { SecureContextOptions } from 'node:tls'
import type { Person } from '../fixtures/people.js'
import type { BankConfig } from './config.js'
import type { BankClock, BenchOperations } from './control/bank-operations.js'
import type { Identity } from './keys/identity.js'
import type { People } from './people.js'
import type { Policy } from './policy.js'
import type { AskedRequests } from './request-history.js'
import type { FaultSwitchboard } from './seams.js'

/** The faults of one bank. */
export interface BankFaults extends FaultSwitchboard {
  /** The versions and suites of TLS as faults change them, for who serves {@link Bank.app} elsewhere. */
  tls(options: SecureContextOptions): SecureContextOptions
}

/** Its types mention Node.js and dependencies that bring their own types: what the bank is made of stays its own affair. */
export interface Bank extends BenchOperations {
  /** The Express application, to mount elsewhere or to test without a socket. */
  app: RequestListener
  /** The bank's address. */
  issuer: string
  config: Readonly<BankConfig>
  /** What it does where its edition of the specification allows several readings. */
  policy: Policy
  /** Whom the bank trusts and what the service needs: certificates (PEM) and the service's private key set. */
  identity: Identity
  people: People
  faults: BankFaults
  clock: BankClock
  /**
   * Changes what the bank knows of someone, and has the clients told that asked for it.
   *
   * @param changes values by claim; null takes a claim away
   * @returns the person as they are now
   * @throws {BankError} not_found, or invalid_request naming the claim
   */
  setClaims(login: string, changes: Record<string, unknown>): Promise<Person>
  /**
   * The last 200 requests that came and what was answered, decoded: with their secrets, so in memory alone, and empty where
   * {@link BankConfig.bench} is off. A route or an option that is none is a BankError, with the one that was meant.
   */
  requests: AskedRequests
  /** Address and Bearer token of the open control door, after {@link Bank.listen}; `page` is the bench, with the token in its address. */
  control?: { url: string; token: string; page?: string }
  /** Address of the metrics, after {@link Bank.listen}, where they are told. */
  metrics?: string
  /** Starts to answer. @returns the bank's address */
  listen(): Promise<string>
  /** Finishes what is running, then frees the port and the store. */
  close(): Promise<void>
}

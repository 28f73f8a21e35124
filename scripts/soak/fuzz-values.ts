import type { Served } from './fuzz-answers.js'
import type { LiveBank, LiveClient, Sent } from './live-bank.js'

/** What the bank comes to know of addresses at which documents lie that change with each request. */
export interface Fetched {
  /** Registered with many addresses of request objects. */
  requesting: LiveClient
  /** Each with a jwks_uri of its own, and a token where something is encrypted to it. */
  signing: LiveClient[]
  encrypting: { client: LiveClient; token: string }[]
  served: Map<string, Served>
}

/** Good values that requests are made of; they change while a fuzzing goes on. */
export interface Values {
  live: LiveBank
  code: string
  tokens: { access_token: string; refresh_token: string; id_token: string }
  interaction: string
  assertions: Map<string, Record<string, string>>
  fetched: Fetched
  /** Encrypts to the bank what the service signed. */
  requestObject(claims: string): Promise<string>
}

/** A request, once the good values are known. */
export type Make = (values: Values) => Sent | Promise<Sent>

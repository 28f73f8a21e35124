/** A registration record as the wire has it (specification: "Client registration record"), after validation. */
export interface RegistrationRecord {
  redirect_uris: string[]
  client_name: string
  jwks_uri: string
  scope: string
  response_types: string[]
  grant_types: string[]
  token_endpoint_auth_method: string
  id_token_signed_response_alg: string
  subject_type: string
  [field: string]: unknown
}

export interface Client {
  clientId: string
  record: RegistrationRecord
  clientSecret: string
  /** Seconds since the epoch. */
  issuedAt: number
}

export interface RegisteredClient extends Client {
  /** Told once, in the answer to the registration; the store keeps only its hash. */
  registrationAccessToken: string
}

/** What people are told that a client is called: its client_id where its name has nothing to be seen. */
export function clientNameOf({ clientId, record }: Pick<Client, 'clientId' | 'record'>): string {
  return record.client_name.trim() === '' ? clientId : record.client_name
}

/** The registered clients, as the parts of a bank know them. */
export interface ClientStore {
  find(clientId: string): Promise<Client | undefined>
  /** The client_id of each. */
  ids(): ReadonlySet<string>
  /** Whether any client registered this redirect URI. */
  anyRegistered(redirectUri: string): Promise<boolean>
  /**
   * Keeps a new client under a client_id, client_secret and registration access token of its own.
   *
   * @param clientSecret in place of a random one
   */
  create(record: RegistrationRecord, clientSecret?: string): Promise<RegisteredClient>
  /** Whether the registration access token is the one issued for this client; compared in constant time. */
  authorizes(clientId: string, registrationAccessToken: string): Promise<boolean>
  /** Revokes a registration access token, whichever client it was issued for. */
  revokeRegistrationToken(registrationAccessToken: string): Promise<void>
  /** @param endsGrants whether codes and tokens of before end with it */
  replace(clientId: string, record: RegistrationRecord, endsGrants?: boolean): Promise<void>
  /** Forgets the client and, in the same transaction, all that was granted to it. */
  remove(clientId: string): Promise<void>
}

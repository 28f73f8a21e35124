import { isUrl } from '../../schemas/is-url.js'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { addressOf } from '../target/target.js'
import type { UserData } from './claims.js'
import type { Conversation } from './conversation.js'
import { inStep } from './steps.js'

/** GET /.well-known/openid-configuration without credentials, once in a run. */
export function fetchDiscovery(conversation: Conversation): Promise<HttpResponse> {
  return conversation.shared('discovery', (own) =>
    own.send({
      method: 'GET',
      url: `${addressOf(own.run.target)}/.well-known/openid-configuration`,
      headers: { accept: 'application/json' },
    }),
  )
}

/** What the bank declares of itself. */
export class Discovery {
  constructor(
    /** What its paths follow where it does not say otherwise. */
    private readonly address: string,
    readonly response: HttpResponse,
  ) {}

  /** A member as it is; undefined when the document has none of that name. */
  member(name: string): unknown {
    return this.response.member(name)
  }

  /** The values of a list, or undefined when the document has no such list. */
  declared(member: string): readonly string[] | undefined {
    const value = this.response.member(member)
    return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : undefined
  }

  /** The value of a member, whatever it is. */
  value(member: string): unknown {
    return this.response.member(member)
  }

  /** The address a member gives. @throws StepFailure of the discovery step when it gives no https address */
  endpoint(member: string): Promise<string> {
    return inStep('discovery', async () => {
      const value = this.response.member(member)
      if (typeof value === 'string' && isUrl(value) && new URL(value).protocol === 'https:') return value
      const sentence = `the discovery document gives no https address as ${member}`
      throw new BankFailure({ sentence, actual: JSON.stringify(value) ?? 'nothing', evidence: this.response.evidence })
    })
  }

  /** Where clients are registered: as the document says, else at /register below the issuer. */
  registrationEndpoint(): Promise<string> {
    return this.endpointOr('registration_endpoint', '/register')
  }

  /** Where tokens are looked into: as the document says, else at /token-info. */
  introspectionEndpoint(): Promise<string> {
    return this.endpointOr('introspection_endpoint', '/token-info')
  }

  /** Where tokens are taken back: as the document says, else at /revoke. */
  revocationEndpoint(): Promise<string> {
    return this.endpointOr('revocation_endpoint', '/revoke')
  }

  /** Where data of the person is: as the document says; profile else at /profile below the issuer. */
  userDataEndpoint(endpoint: UserData): Promise<string> {
    return endpoint === 'userinfo'
      ? this.endpoint('userinfo_endpoint')
      : this.endpointOr('profile_endpoint', '/profile')
  }

  private async endpointOr(member: string, path: string): Promise<string> {
    return this.response.member(member) === undefined ? `${this.address}${path}` : this.endpoint(member)
  }
}

/** The discovery document as a step of others: taken whatever its status and content type, if it is a JSON object. */
export async function discover(conversation: Conversation): Promise<Discovery> {
  return inStep('discovery', async () => {
    const response = await fetchDiscovery(conversation)
    const { json } = response
    const isDocument = response.status < 300 && typeof json === 'object' && json !== null && !Array.isArray(json)
    if (isDocument) return new Discovery(addressOf(conversation.run.target), response)
    const sentence = `there is no discovery document at ${response.request.url} (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

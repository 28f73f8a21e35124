import { personOf, type Target } from '../bank/target.js'

/** What a rule can need of the target file. */
export type Need = 'trusted' | 'inbound' | 'application' | 'clock' | 'trigger' | 'person' | 'data' | `person:${string}`

/** To register an application. */
export const toRegister: readonly Need[] = ['trusted', 'inbound']

/** To log in as a person who can everything, at an application that is registered or given. */
export const toLogIn: readonly Need[] = ['application', 'person']

/** To log in as a person whose data are known. */
export const toCompareData: readonly Need[] = [...toLogIn, 'data']

/** Why what a rule needs is not there; undefined when it is. */
export function missing(need: Need, target: Target): string | undefined {
  switch (need) {
    case 'trusted':
      if (target.keys && target.clientCertificate) return undefined
      return 'the target file names no service.keys and service.client_certificate that the bank trusts'
    case 'inbound':
      return target.server ? undefined : 'the target file names no service.server that the bank can reach'
    case 'application': {
      if (target.client) return undefined
      const lacking = toRegister.map((one) => missing(one, target)).find((reason) => reason !== undefined)
      return lacking && `${lacking}, and no client that is registered already`
    }
    case 'clock':
    case 'trigger':
      return target.control ? undefined : 'the target file names no control door of the bank'
    case 'data': {
      const claims = personOf(target.people, 'full')?.claims
      return claims ? undefined : 'the target file does not tell what the bank knows of the person (people[].claims)'
    }
    default: {
      const kind = need === 'person' ? 'full' : need.slice('person:'.length)
      if (target.pages.size === 0) return 'the target file does not say how a person logs in (login.pages)'
      return personOf(target.people, kind) ? undefined : `the target file names no person of kind ${kind}`
    }
  }
}

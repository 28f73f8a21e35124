import type { AttestedRequirement } from './attestations.js'
import { asksAboutScopes } from './consent-boxes.js'
import { pagesCalled } from './login-settings.js'
import { peopleKnown, personOf, type Target } from './target.js'

/** What a rule can need of the target file. */
export type Need =
  | 'trusted'
  | 'inbound'
  | 'client'
  | 'clock'
  | 'trigger'
  | 'signing'
  | 'data'
  | 'person'
  | 'people'
  | 'page-detection'
  | 'deny-scopes'
  | 'redirect'
  | 'browsers'
  | `action:${string}`
  | `person:${string}`
  | `attestation:${AttestedRequirement}`

/** To register a client. */
export const toRegister: readonly Need[] = ['trusted', 'inbound']

/** To log in as a person who can everything, at a client that is registered or given. */
export const toLogIn: readonly Need[] = ['client', 'person']

/** To have a person authorize what a client asks for. */
export const toSign: readonly Need[] = [...toRegister, 'person', 'signing']

/** To log in as a person whose data are known. */
export const toCompareData: readonly Need[] = [...toLogIn, 'data']

/** To log in as each person whose data are known, beside the one of kind full. */
export const toComparePeople: readonly Need[] = [...toLogIn, 'people']

/** Whether a rule troubles somebody to log in. */
export function needsPerson(needs: readonly Need[]): boolean {
  return needs.some((need) => need === 'person' || need === 'people' || need.startsWith('person:'))
}

/** What somebody who logs in by hand cannot do for a rule; undefined when they can. */
function missingByHand(need: Need, { people, server }: Target): string | undefined {
  const byHand = 'a person who logs in by hand'
  if (need === 'page-detection') return `${byHand} does not report which pages the bank shows`
  if (need === 'redirect')
    return `the harness sees neither how nor where else the bank redirects when a person logs in by hand`
  if (need === 'browsers') return `${byHand} has one browser, and so one session`
  if (need === 'deny-scopes' || need.startsWith('action:')) return `${byHand} is only asked to sign in and to approve`
  if (need === 'people') return `${byHand} is one person`
  if (!needsPerson([need])) return undefined
  if (!server) return `${byHand} returns to service.server, which the target file does not name`
  const kind = need === 'person' ? 'full' : need.slice('person:'.length)
  const [one, asked] = [personOf(people, 'full'), personOf(people, kind)]
  if (one && asked && asked.login !== one.login)
    return `${byHand} is one person, and there is no second one of kind ${kind}`
  return undefined
}

/** Why what a rule needs is not there; undefined when it is. */
export function missing(need: Need, target: Target): string | undefined {
  const byHand = target.login?.by === 'person'
  const impossible = byHand ? missingByHand(need, target) : undefined
  if (impossible) return impossible
  switch (need) {
    case 'trusted':
      if (target.keys && target.clientCertificate) return undefined
      return 'the target file names no service.keys and service.client_certificate that the bank trusts'
    case 'inbound':
      return target.server ? undefined : 'the target file names no service.server that the bank can reach'
    case 'client': {
      if (target.client) return undefined
      const lacking = toRegister.map((one) => missing(one, target)).find((reason) => reason !== undefined)
      return lacking && `${lacking}, and it names no client that is already registered`
    }
    case 'signing':
      return target.signing?.offered === false ? 'the target file says that the bank offers no signing flow' : undefined
    case 'clock':
      if (target.control || target.slow) return undefined
      return 'the target file names no control door that moves the time of the bank, and only --slow waits for it'
    case 'trigger':
      return target.control ? undefined : 'the target file names no control door of the bank'
    case 'data': {
      const claims = personOf(target.people, 'full')?.claims
      return claims ? undefined : 'the target file does not say what the bank knows of the person (people[].claims)'
    }
    case 'people':
      if (peopleKnown(target.people).size > 0) return undefined
      return 'the target file does not say what the bank knows of other people (people[].claims)'
    case 'redirect':
    case 'browsers':
      return undefined
    case 'deny-scopes':
      if ([...target.pages.values()].some(asksAboutScopes)) return undefined
      return 'login.pages of the target file does not say how to deny a scope'
    case 'page-detection': {
      const unnamed = ['sign-in', 'consent'].filter((name) => pagesCalled(target.pages, name).length === 0)
      return unnamed.length === 0
        ? undefined
        : `login.pages of the target file has no page named ${unnamed.join(' and ')}`
    }
    default: {
      if (need.startsWith('action:')) {
        const [page = '', action = ''] = need.slice('action:'.length).split('/')
        const entries = pagesCalled(target.pages, page)
        // Of pages in a row the last one may have it alone, and of those that lead to boxes the one that does.
        const have = entries.filter(({ actions }) => actions[action])
        const leads = have.some(({ actions }) => actions.change)
        if (have.length > 0 && entries.every((entry) => have.includes(entry) || entry.parts || leads)) return undefined
        return `login.pages of the target file names no action ${action} on a page ${page}`
      }
      if (need.startsWith('attestation:')) {
        const requirement = need.slice('attestation:'.length) as AttestedRequirement
        return target.attestations?.[requirement]
          ? undefined
          : `the bank attests nothing about ${requirement} (attestations)`
      }
      const kind = need === 'person' ? 'full' : need.slice('person:'.length)
      if (target.pages.size === 0 && !byHand) return 'the target file does not say how a person logs in (login.pages)'
      return personOf(target.people, kind) ? undefined : `the target file names no person of kind ${kind}`
    }
  }
}

import { Skip } from '../evidence/failure.js'
import { Slots } from '../http/slots.js'
import type { ServiceServer } from '../service/server.js'
import { type LoginSettings, loginDefaults } from '../target/login-settings.js'
import { TargetError } from '../target/target-error.js'
import type { AuthorizationTask, EndUser, Visit, VisitContext } from './end-user.js'
import { PersonsTab } from './tab.js'

export interface PersonOptions {
  /** Where the tab is led from, and comes back to. */
  server: ServiceServer
  login: LoginSettings
  /** Called once, when the person is first needed: shows them the address to open. */
  invite(url: string): void
}

/**
 * A person who signs in by hand. They have one tab, and so one browser with its cookies: whoever signed in stays signed in at a bank
 * that keeps a session, and is led through the next request without doing anything. Steps come one after the other.
 */
export function personEndUser({ server, login, invite }: PersonOptions): EndUser {
  const seconds = login.personSeconds ?? loginDefaults.personSeconds
  const tab = new PersonsTab(server)
  const turn = new Slots(1)
  let who: string | undefined
  let invited = false

  async function visit(task: AuthorizationTask, context: VisitContext): Promise<Visit> {
    const impossible = unfit(task, server, who)
    if (impossible) throw new Skip(impossible)
    const done = await turn.take()
    try {
      context.signal.throwIfAborted()
      if (!invited) invite(tab.url)
      invited = true
      if (!tab.present) throw nobodyCame(tab.url, seconds)
      who = task.person?.login
      return await errand(tab, task, context, seconds)
    } finally {
      tab.take()
      done()
    }
  }

  return {
    open: () => ({ visit }),
    async close() {
      if (invited && tab.present) await tab.finish()
    },
  }
}

/** Why a person with one tab cannot do what is asked; undefined when they can. */
function unfit(
  { person, actions, denyScopes, redirectUris, endsAnywhere }: AuthorizationTask,
  { url }: ServiceServer,
  who?: string,
) {
  if (!person || Object.keys(actions ?? {}).length > 0 || (denyScopes ?? []).length > 0)
    return 'a person who logs in by hand is only asked to sign in and to approve'
  if (who !== undefined && person.login !== who) return 'a person who logs in by hand is one person'
  if (endsAnywhere) return 'a person who logs in by hand does not report what the bank shows at the end'
  const back = redirectUris.find((uri) => uri === url || uri.startsWith(`${url}/`))
  return back === undefined
    ? `a person who logs in by hand returns to service.server only, not to ${redirectUris[0] ?? 'nowhere'}`
    : undefined
}

function errand(tab: PersonsTab, task: AuthorizationTask, context: VisitContext, seconds: number): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      context.signal.removeEventListener('abort', abort)
    }
    const refuse = (error: unknown) => {
      end()
      reject(error)
    }
    const abort = () => refuse(context.signal.reason)
    const timer = setTimeout(() => {
      tab.present = false
      refuse(nobodyCame(tab.url, seconds))
    }, seconds * 1000)
    context.signal.addEventListener('abort', abort, { once: true })
    tab.give({
      task,
      context,
      sent: false,
      settle(visited) {
        end()
        resolve(visited)
      },
      giveUp: () => refuse(new TargetError(['login: the person reports that the bank does not let them continue'])),
    })
  })
}

function nobodyCame(url: string, seconds: number): TargetError {
  return new TargetError([
    `login: no browser returned from the bank to ${url} within ${seconds} s; login.person_seconds allows more time`,
  ])
}

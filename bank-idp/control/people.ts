import type { Router } from 'express'
import { type Person, withAge } from '../../fixtures/people.js'
import { now } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { blockPerson, unblockPerson } from '../provider/security-risk.js'
import { exactRouter } from '../router.js'
import { membersOf } from './members.js'

/** What the control door says of everyone. */
export type PersonEntry = Pick<Person, 'login' | 'password' | 'kinds' | 'reason'>

/** What the control door says of one person: all that the bank knows, with the age of the day. */
export type PersonAnswer = Person

/** GET /people; GET /people/{login}; POST /people/{login} {claims}, where null takes a claim away, or {blocked}. */
export function peopleControl(
  context: Pick<
    BankContext,
    | 'blocks'
    | 'claimUpdates'
    | 'clients'
    | 'config'
    | 'devices'
    | 'outbox'
    | 'people'
    | 'policy'
    | 'provider'
    | 'seams'
    | 'subjects'
  >,
): Router {
  const { people, claimUpdates } = context
  const answer = (person: Person): PersonAnswer => ({ ...person, claims: withAge(person.claims, new Date(now())) })
  return exactRouter()
    .get('/people', (_req, res) => {
      const entry = ({ login, password, kinds, reason }: Person): PersonEntry => ({ login, password, kinds, reason })
      res.json(people.all().map(entry))
    })
    .get('/people/:login', (req, res) => {
      const person = people.byLogin(req.params.login)
      if (!person) throw new BankError('not_found', `no person has the login name '${req.params.login}'`)
      res.json(answer(person))
    })
    .post('/people/:login', async (req, res) => {
      const { claims, blocked } = membersOf(req, 'claims')
      const person = people.byLogin(req.params.login)
      if (!person) throw new BankError('not_found', `no person has the login name '${req.params.login}'`)
      if (typeof blocked === 'boolean') {
        await (blocked ? blockPerson(context, person) : unblockPerson(context, person))
        if (claims === undefined) return void res.json(answer(person))
      }
      if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
        throw new BankError('invalid_request', 'claims must be an object of claims; null removes a claim')
      }
      res.json(answer(await claimUpdates.change(req.params.login, claims as Record<string, unknown>)))
    })
}

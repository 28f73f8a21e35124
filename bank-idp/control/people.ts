import { Router } from 'express'
import { type Person, withAge } from '../../fixtures/people.js'
import { now } from '../clock.js'
import { BankError } from '../errors.js'
import type { People } from '../people.js'

/** What the control door says of everyone. */
export type PersonEntry = Pick<Person, 'login' | 'password' | 'kinds' | 'reason'>

/** What the control door says of one person: all that the bank knows, with the age of the day. */
export type PersonAnswer = Person

/** GET /people; GET /people/{login}. */
export function peopleControl({ people }: { people: People }): Router {
  return Router()
    .get('/people', (_req, res) => {
      const entry = ({ login, password, kinds, reason }: Person): PersonEntry => ({ login, password, kinds, reason })
      res.json(people.all().map(entry))
    })
    .get('/people/:login', (req, res) => {
      const person = people.byLogin(req.params.login)
      if (!person) throw new BankError('not_found', `nobody has the login name '${req.params.login}'`)
      res.json({ ...person, claims: withAge(person.claims, new Date(now())) } satisfies PersonAnswer)
    })
}

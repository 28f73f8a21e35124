import { BankError } from '../errors.js'
import type { Trouble } from '../troubles.js'
import type { BenchOperations, Beside, WhichClient } from './bank-operations.js'
import { MadeKeys } from './client-keys.js'
import { type Bench, perform } from './operation.js'
import type { LoginInput, MintInput, NewClient } from './operation-data.js'
import { registerClient } from './operations/clients.js'
import { logIn } from './operations/logins.js'
import { createPerson, deletePerson, setNextLogin } from './operations/made-people.js'
import { mint } from './operations/mint.js'
import { setOutcome } from './operations/outcomes.js'
import { changePerson } from './operations/people.js'
import { reset, restore, snapshot } from './operations/snapshots.js'
import { addTrouble } from './operations/troubles.js'
import { inputOf, optionOf } from './options.js'

/** The members of an input that say which client it is; what is none is for the operation to refuse. */
function clientOf(client: WhichClient): Pick<LoginInput, 'client_id' | 'private_jwks'> {
  if (typeof client !== 'object' || client === null) return { client_id: client }
  const { client_id, private_jwks } = client
  return { client_id, ...(private_jwks && { private_jwks }) }
}

/** The client is no option where it comes first: its client_id is spoken of as everywhere. */
const spelled = (member: string) => (member === 'client_id' ? member : optionOf(member))

/** A bench of a bank that is put together. */
export function makeBench(bank: Pick<Bench, 'app' | 'context' | 'store' | 'exchange' | 'still' | 'checkOpen'>): Bench {
  return { ...bank, madeKeys: new MadeKeys(), snapshots: new Map() }
}

export function benchOperations(bench: Bench): BenchOperations {
  return {
    registerClient: (options) => perform(registerClient, bench, inputOf<NewClient>(options), optionOf),
    login: (client, login, options = {}) =>
      perform(logIn, bench, { ...inputOf<Beside<LoginInput>>(options), ...clientOf(client), login }, spelled),
    mint: (client, login, options = {}) => {
      const { client_id } = clientOf(client)
      return perform(mint, bench, { ...inputOf<Beside<MintInput>>(options), client_id, login }, spelled)
    },
    createPerson: (person) => perform(createPerson, bench, person),
    async deletePerson(login) {
      await perform(deletePerson, bench, { login })
    },
    async blockPerson(login, blocked = true) {
      await perform(changePerson, bench, { login, blocked })
    },
    async nextLogin(login, next) {
      await perform(setNextLogin, bench, { ...next, login })
    },
    async endNextLogin(client, outcome) {
      await perform(setOutcome, bench, { client: clientOf(client).client_id, outcome })
    },
    async trouble(route, trouble) {
      await perform(addTrouble, bench, { ...inputOf<Omit<Trouble, 'route'>>(trouble), route }, optionOf)
    },
    async reset() {
      await perform(reset, bench, {})
    },
    snapshot: () => perform(snapshot, bench, {}),
    async restore(taken) {
      // Who has no TypeScript may give anything.
      if (typeof (taken as unknown) !== 'object') throw new BankError('invalid_request', 'give what snapshot() gave')
      await perform(restore, bench, taken)
    },
  }
}

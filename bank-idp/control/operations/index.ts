import type { Operation } from '../operation.js'
import { registerClient } from './clients.js'
import { clockOperations } from './clock.js'
import { deviceOperations } from './devices.js'
import { faultOperations } from './faults.js'
import { keyOperations } from './keys.js'
import { logIn } from './logins.js'
import { createPerson, deletePerson, setNextLogin, showNextLogin } from './made-people.js'
import { mint } from './mint.js'
import { outageOperations } from './outages.js'
import { outboxOperations } from './outbox.js'
import { outcomeOperations } from './outcomes.js'
import { peopleOperations } from './people.js'
import { requestOperations } from './requests.js'
import { reset, restore, snapshot } from './snapshots.js'
import { statisticsOperations } from './statistics.js'
import { troubleOperations } from './troubles.js'

/** All that can be done to a running bank: what the control API serves, and its OpenAPI document describes. */
export const operations: readonly Operation[] = [
  registerClient,
  logIn,
  mint,
  reset,
  snapshot,
  restore,
  ...requestOperations,
  ...clockOperations,
  ...peopleOperations,
  createPerson,
  deletePerson,
  showNextLogin,
  setNextLogin,
  ...deviceOperations,
  ...outcomeOperations,
  ...faultOperations,
  ...troubleOperations,
  ...outageOperations,
  ...keyOperations,
  ...outboxOperations,
  ...statisticsOperations,
]

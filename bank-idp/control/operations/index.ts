import type { Operation } from '../operation.js'
import { registerClient } from './clients.js'
import { clockOperations } from './clock.js'
import { consentOperations } from './consents.js'
import { deviceOperations } from './devices.js'
import { faultOperations } from './faults.js'
import { keyOperations } from './keys.js'
import { logIn } from './logins.js'
import { createPerson, deletePerson, setNextLogin, showNextLogin } from './made-people.js'
import { mint } from './mint.js'
import { showRequest } from './one-request.js'
import { outageOperations } from './outages.js'
import { outboxOperations } from './outbox.js'
import { outcomeOperations } from './outcomes.js'
import { peopleOperations } from './people.js'
import { registeredClientOperations } from './registered-clients.js'
import { requestOperations } from './requests.js'
import { sessionOperations } from './sessions.js'
import { listSnapshots, reset, restore, snapshot } from './snapshots.js'
import { statisticsOperations } from './statistics.js'
import { tokenOperations } from './tokens.js'
import { troubleOperations } from './troubles.js'

/** All that can be done to a running bank: what the control API serves, and its OpenAPI document describes. */
export const operations: readonly Operation[] = [
  registerClient,
  ...registeredClientOperations,
  logIn,
  mint,
  ...tokenOperations,
  ...sessionOperations,
  ...consentOperations,
  reset,
  snapshot,
  listSnapshots,
  restore,
  ...requestOperations,
  showRequest,
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

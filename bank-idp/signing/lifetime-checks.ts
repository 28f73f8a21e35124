import type { Check } from '../checks.js'
import { nowSeconds } from '../clock.js'
import { BankError } from '../errors.js'
import type { SigningRequest } from '../signing-request.js'

/** Whether a request object can still be decided: asked when the person comes, and once more when the person decides. */
export const lifetimeChecks: readonly Check<SigningRequest>[] = [
  {
    id: 'authorize/request-live',
    check({ expiresAt }) {
      if (expiresAt <= nowSeconds()) throw new BankError('invalid_request_uri', 'request_uri has expired')
    },
  },
  {
    id: 'authorize/request-undecided',
    check({ decided }) {
      if (decided) throw new BankError('invalid_request_uri', 'the request object was already authorized or refused')
    },
  },
]

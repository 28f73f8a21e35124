import type { ErrorCode } from './errors.js'

/** How a login can end other than with a code. Specification: "Callback messages identical across banks". */
export const callbackMessages = {
  'authentication-declined': { code: 'access_denied', message: 'User declined the authentication' },
  'consent-declined': { code: 'access_denied', message: 'User declined consent' },
  'not-eligible': { code: 'eid_doesnt_exist', message: 'User not eligible' },
  'switched-off': { code: 'eid_doesnt_exist', message: 'User disabled authentication' },
  'weak-method': { code: 'user_not_eligible', message: 'User authentication method insufficient' },
  'insufficient-data': { code: 'user_not_eligible', message: 'Insufficient user data or age restriction' },
  // No message is laid down for who goes away; the code is (specification: "Error codes", access_denied).
  unfinished: { code: 'access_denied', message: 'User did not finish the authentication' },
} as const satisfies Record<string, { code: ErrorCode; message: string }>

export type LoginOutcome = keyof typeof callbackMessages

export function isLoginOutcome(name: unknown): name is LoginOutcome {
  return typeof name === 'string' && Object.hasOwn(callbackMessages, name)
}

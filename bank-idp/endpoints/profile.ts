import type { Router } from 'express'
import { BankError } from '../errors.js'
import { confirmedByRegister } from '../people.js'
import { exactRouter } from '../router.js'
import { sendUserData, type UserDataContext, userDataAccess } from './user-data.js'

/**
 * GET /profile. Specification: "Exposed by the bank" 11. Bearer token per RFC 6750 section 2.1. Whatever the request accepts, the
 * answer is application/jwt. Published: basic_register=true has the state register asked first.
 */
export function profile(context: UserDataContext): Router {
  return exactRouter().get('/profile', async (req, res) => {
    const access = await userDataAccess(context, 'profile', req, res)
    if (req.query.basic_register === 'true' && !confirmedByRegister(access.person)) {
      throw new BankError('user_not_eligible', 'the basic register does not confirm the person', {
        status: 500,
      }).refusedBy('profile/basic-register')
    }
    await sendUserData(context, 'profile', access, res)
  })
}

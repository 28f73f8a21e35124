import { Router } from 'express'
import { sendUserData, type UserDataContext, userDataAccess } from './user-data.js'

/** GET /userinfo. Specification: "Exposed by the bank" 10. Bearer token per RFC 6750 section 2.1. */
export function userinfo(context: UserDataContext): Router {
  return Router().get('/userinfo', async (req, res) => {
    const access = await userDataAccess(context, 'userinfo', req, res)
    await sendUserData(context, 'userinfo', access, res)
  })
}

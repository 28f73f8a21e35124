import express, { type RequestHandler, Router } from 'express'

/** What the lists of profile hold, where those of userinfo hold more (AMB-49). */
const alg = 'ES512'

const declared = {
  profile_signing_alg_values_supported: [alg],
  profile_encryption_alg_values_supported: ['RSA-OAEP-256'],
  profile_encryption_enc_values_supported: ['A256GCM'],
}

const declaring: RequestHandler = (_req, res, next) => {
  const answer = res.json.bind(res)
  res.json = (document) => answer({ ...document, ...declared })
  next()
}

/** Signs profile with the one algorithm that there is where a record names none. */
const filledIn: RequestHandler = (req, _res, next) => {
  if (typeof req.body === 'string') {
    try {
      const record: unknown = JSON.parse(req.body)
      const isRecord = typeof record === 'object' && record !== null && !Array.isArray(record)
      req.body = isRecord ? { profile_signed_response_alg: alg, ...record } : record
    } catch {
      req.body = undefined
    }
  }
  next()
}

/** Refuses what the lists of userinfo alone hold. */
const refusing: RequestHandler = (_req, res, next) => {
  const answer = res.json.bind(res)
  res.json = (body) => {
    if (res.statusCode >= 300 || [undefined, alg].includes(body?.profile_signed_response_alg)) return answer(body)
    const error_description = `profile_signed_response_alg is ${alg} here`
    return res.status(400) && answer({ error: 'invalid_client_metadata', error_description })
  }
  next()
}

/** A bank that declares for profile less than for userinfo. */
export function ownProfile(): Router {
  return Router()
    .get('/.well-known/openid-configuration', declaring)
    .use('/register', express.text({ type: 'application/json', limit: '500kb' }), filledIn, refusing)
}

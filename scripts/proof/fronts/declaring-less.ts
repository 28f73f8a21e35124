import express, { type RequestHandler, Router } from 'express'
import { parseSpaceDelimited } from '../../../bank-idp/parse-space-delimited.js'
import { formless } from './formless.js'

/** What a bank that declares less keeps of the lists of discovery, each with the fields of a record that name such values. */
const keptValues: Record<string, { values: readonly string[]; fields: readonly string[] }> = {
  scopes_supported: {
    values: [
      'openid',
      'offline_access',
      'profile.name',
      'profile.birthdate',
      'profile.email',
      'authorization',
      'notification.claims_updated',
    ],
    fields: ['scope'],
  },
  acr_values_supported: { values: ['loa3'], fields: ['default_acr_values'] },
  response_types_supported: { values: ['code'], fields: ['response_types'] },
  grant_types_supported: { values: ['authorization_code', 'refresh_token'], fields: ['grant_types'] },
  token_endpoint_auth_methods_supported: { values: ['private_key_jwt'], fields: ['token_endpoint_auth_method'] },
  token_endpoint_auth_signing_alg_values_supported: { values: ['ES512'], fields: ['token_endpoint_auth_signing_alg'] },
  id_token_signing_alg_values_supported: { values: ['ES512'], fields: ['id_token_signed_response_alg'] },
  userinfo_signing_alg_values_supported: {
    values: ['ES512'],
    fields: ['userinfo_signed_response_alg', 'profile_signed_response_alg'],
  },
  userinfo_encryption_alg_values_supported: {
    values: [],
    fields: ['userinfo_encrypted_response_alg', 'profile_encrypted_response_alg'],
  },
  userinfo_encryption_enc_values_supported: {
    values: [],
    fields: ['userinfo_encrypted_response_enc', 'profile_encrypted_response_enc'],
  },
}

/** How the bank encrypts the result of the signing flow by itself; no record names it. */
const ofResults = { id_token_encrypted_response_alg: 'RSA-OAEP-256', id_token_encrypted_response_enc: 'A256GCM' }

const undeclaredLists = ['id_token_encryption_alg_values_supported', 'id_token_encryption_enc_values_supported']

/** Whether a record asks for a value that is not kept. */
function asksForMore(record: Record<string, unknown>): boolean {
  return Object.values(keptValues).some(({ values, fields }) =>
    fields.some((field) =>
      [record[field] ?? []].flat().some((text) => !parseSpaceDelimited(String(text)).every(isAmong(values))),
    ),
  )
}

const isAmong = (values: readonly string[]) => (value: string) => values.includes(value)

/** Signs with the one algorithm that there is where a record names none, and refuses to encrypt id_tokens. */
const itsOwnDefaults: RequestHandler = (req, res, next) => {
  const defaults = Object.values(keptValues).flatMap(({ values, fields }) =>
    values[0] === 'ES512' ? fields.map((field): [string, string] => [field, 'ES512']) : [],
  )
  if (typeof req.body === 'string') {
    try {
      const record: unknown = JSON.parse(req.body)
      const isRecord = typeof record === 'object' && record !== null && !Array.isArray(record)
      if (isRecord && Object.keys(ofResults).some((member) => member in record)) {
        res.status(400).json({ error: 'invalid_client_metadata', error_description: 'id_tokens are not encrypted' })
        return
      }
      const signs = isRecord && 'scope' in record && parseSpaceDelimited(String(record.scope)).includes('authorization')
      req.body = isRecord ? { ...Object.fromEntries(defaults), ...(signs && ofResults), ...record } : record
    } catch {
      req.body = undefined
    }
  }
  next()
}

/** A bank whose discovery declares a subset, which matches reality: what is left out is refused at registration, request_uri in use. */
export function declaringLess(): Router {
  const redirectUris = new Set<unknown>()
  return Router()
    .use(formless)
    .use('/register', express.text({ type: 'application/json', limit: '500kb' }), itsOwnDefaults)
    .use((req, res, next) => declareLess(redirectUris, req, res, next))
}

/** @param redirectUris those registered so far: what else a request names is refused by the bank itself */
function declareLess(redirectUris: Set<unknown>, ...[req, res, next]: Parameters<RequestHandler>): void {
  const answer = res.json.bind(res)
  if (req.path === '/.well-known/openid-configuration') {
    res.json = (body: Record<string, unknown>) => {
      const kept = Object.entries(keptValues).flatMap(([list, { values }]) =>
        values.length > 0 ? [[list, values]] : [],
      )
      const others = Object.entries(body).filter(
        ([member]) => !(member in keptValues) && !undeclaredLists.includes(member),
      )
      return answer({ ...Object.fromEntries([...others, ...kept]), request_uri_parameter_supported: false })
    }
  } else if (req.path.startsWith('/register')) {
    res.json = (body: Record<string, unknown>) => {
      if (res.statusCode === 200 && asksForMore(body))
        return (
          res.status(400) && answer({ error: 'invalid_client_metadata', error_description: 'this is not supported' })
        )
      for (const uri of [body.redirect_uris ?? []].flat()) redirectUris.add(uri)
      const told = Object.entries(body).filter(([member]) => !(member in ofResults))
      return answer(Object.fromEntries(told))
    }
  } else if (req.path === '/auth') {
    const { request_uri, redirect_uri, acr_values, state = '' } = req.query as Record<string, string>
    // What is not declared is no value for the bank itself; who asks for no level reaches the one that there is.
    const level = acr_values?.includes('loa2') ? 'not-declared' : 'loa3'
    if (acr_values !== undefined) req.url = req.url.replace(/acr_values=[^&]*loa2[^&]*/, `acr_values=${level}`)
    else req.url = `${req.url}${req.url.includes('?') ? '&' : '?'}acr_values=${level}`
    if (request_uri !== undefined && redirectUris.has(redirect_uri)) {
      const error = { error: 'request_uri_not_supported', error_description: 'request_uri is not supported', state }
      res.redirect(302, `${redirect_uri}?${new URLSearchParams(error)}`)
      return
    }
  }
  next()
}

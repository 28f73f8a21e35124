import { createHash, timingSafeEqual } from 'node:crypto'
import express, { type RequestHandler, type Response, Router } from 'express'
import helmet from 'helmet'
import type { Person } from '../../fixtures/people.js'
import { consentPage } from '../pages/consent.js'
import { styleHash } from '../pages/layout.js'
import { problemPage } from '../pages/problem.js'
import { signInPage } from '../pages/sign-in.js'
import { claimsOfScope } from '../provider/claims.js'
import { errors } from '../provider/library.js'
import type { Rooms } from '../rooms.js'
import type { Client } from '../store/clients.js'
import { words } from '../words.js'

/**
 * Headers of all pages. form-action names the application's address too: browsers hold the redirect that answers a form to it (CSP
 * Level 3 section 6.4.2).
 */
function pageHeaders(redirectUri: string): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [styleHash],
        formAction: ["'self'", new URL(redirectUri).origin],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
  })
}

function samePassword(given: string, known: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(known))
}

/** The names under which a page shows a person. */
function displayName({ claims, login }: Person): string {
  return typeof claims.name === 'string' ? claims.name : login
}

interface Form {
  [field: string]: string | string[] | undefined
}

/**
 * The pages of a login: sign-in, then consent. They are the bank's own affair (the specification says nothing of them); what they lead to
 * is an answer of GET /auth.
 */
export function interaction(rooms: Rooms): Router {
  const { provider, people, clients, consents, config } = rooms
  const path = new URL(config.issuer).pathname.replace(/\/$/, '')

  interface Step {
    uid: string
    prompt: string
    client: Client
    personId?: string
    /** Scopes asked for. */
    scopes: string[]
  }

  const withStep =
    (handle: (step: Step, req: express.Request, res: Response) => Promise<void>): RequestHandler =>
    async (req, res) => {
      const details = await provider.interactionDetails(req, res).catch((error: unknown) => {
        if (error instanceof errors.SessionNotFound) return undefined
        throw error
      })
      const client = details && (await clients.find(String(details.params.client_id)))
      if (!details || details.uid !== req.params.uid || !client) {
        pageHeaders(config.issuer)(req, res, () => {})
        const advice =
          'It was left for too long, or opened in another browser. Go back to the application and start again.'
        res.status(400).send(problemPage('This sign-in is over', advice))
        return
      }
      res.locals.client = client.clientId
      pageHeaders(String(details.params.redirect_uri))(req, res, () => {})
      res.set('cache-control', 'no-store')
      const step: Step = {
        uid: details.uid,
        prompt: details.prompt.name,
        client,
        personId: details.session?.accountId,
        scopes: words(String(details.params.scope)),
      }
      await handle(step, req, res)
    }

  function showSignIn({ uid, client }: Step, res: Response, problem?: string): void {
    res.status(problem ? 400 : 200).send(
      signInPage({
        application: client.record.client_name,
        action: `${path}/interaction/${uid}`,
        people: people
          .introduced()
          .map((person) => ({ login: person.login, name: displayName(person), reason: person.reason })),
        problem,
      }),
    )
  }

  function showConsent({ uid, client, personId, scopes }: Step, res: Response): void {
    const required = words(client.record.required_scope as string | undefined)
    const person = people.byId(String(personId))
    res.send(
      consentPage({
        application: client.record.client_name,
        action: `${path}/interaction/${uid}`,
        person: person ? displayName(person) : '',
        scopes: scopes.map((name) => ({
          name,
          claims: claimsOfScope(name),
          required: name === 'openid' || required.includes(name),
        })),
      }),
    )
  }

  async function signIn(step: Step, form: Form, req: express.Request, res: Response): Promise<void> {
    if (form.action === 'decline') {
      await provider.interactionFinished(req, res, {
        error: 'access_denied',
        error_description: 'User declined the authentication',
      })
      return
    }
    const chosen = typeof form.person === 'string' ? people.byLogin(form.person) : undefined
    const named = typeof form.login === 'string' ? people.byLogin(form.login.trim()) : undefined
    const known = named && samePassword(String(form.password ?? ''), named.password) ? named : undefined
    const person = chosen ?? known
    if (!person) {
      showSignIn(step, res, 'The login name or the password is not right.')
      return
    }
    await provider.interactionFinished(req, res, { login: { accountId: person.id, acr: 'loa2', amr: ['pwd'] } })
  }

  async function consent(step: Step, form: Form, req: express.Request, res: Response): Promise<void> {
    if (form.action !== 'approve') {
      await provider.interactionFinished(req, res, {
        error: 'access_denied',
        error_description: 'User declined consent',
      })
      return
    }
    const { client, personId, scopes } = step
    const required = ['openid', ...words(client.record.required_scope as string | undefined)]
    const ticked = [form.scope ?? []].flat()
    const granted = scopes.filter((scope) => required.includes(scope) || ticked.includes(scope))
    const grant = new provider.Grant({ accountId: String(personId), clientId: client.clientId })
    grant.addOIDCScope(granted.join(' '))
    const refused = scopes.filter((scope) => !granted.includes(scope))
    if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
    const grantId = await grant.save()
    await consents.approve(String(personId), client.clientId, granted)
    await provider.interactionFinished(req, res, { consent: { grantId } }, { mergeWithLastSubmission: true })
  }

  return Router()
    .get(
      '/interaction/:uid',
      withStep(async (step, _req, res) => (step.prompt === 'login' ? showSignIn(step, res) : showConsent(step, res))),
    )
    .post(
      '/interaction/:uid',
      express.urlencoded({ extended: false, limit: '20kb' }),
      withStep(async (step, req, res) => {
        const form = (req.body ?? {}) as Form
        await (step.prompt === 'login' ? signIn(step, form, req, res) : consent(step, form, req, res))
      }),
    )
}

import { join } from 'node:path'
import type { Router } from 'express'
import type { Person } from '../../fixtures/people.js'
import type { BankContext } from '../context.js'
import { files } from '../keys/data-directory.js'
import { type Landing, landingPage } from '../pages/landing.js'
import { landingTexts } from '../pages/landing-texts.js'
import { type Language, languageAsked } from '../pages/language.js'
import { pageHeaders } from '../pages/page-headers.js'
import { reasonOf } from '../pages/person-reason.js'
import { exactRouter } from '../router.js'
import { displayName } from './interaction/display-name.js'

/** Lines for a terminal in the folder that the bank was started in. */
function beginnings({ issuer, data, bench }: BankContext['config'], language: Language): Landing['begin'] {
  const { lines } = landingTexts[language]
  const trust = data === undefined ? '--insecure' : `--cacert ${join(data, files.authority)}`
  return [
    { line: `curl ${trust} ${issuer}/.well-known/openid-configuration`, what: lines.discovery },
    ...(data === undefined ? [] : [{ line: `node docs/first-login.js ${data} ${issuer}`, what: lines.login }]),
    ...(bench ? [{ line: 'bank-idp start --bench-page', what: lines.bench }] : []),
  ]
}

function landing({ config, people }: Pick<BankContext, 'config' | 'people'>, language: Language): Landing {
  const { issuer, edition } = config
  const introduced = people.introduced()
  // The bundled people are published with their passwords. Those of somebody's own may have some that are nobody else's affair.
  const isPublished = (person: Person) => config.people === undefined && people.wasLoaded(person)
  return {
    issuer,
    edition,
    links: {
      discovery: `${issuer}/.well-known/openid-configuration`,
      keys: `${issuer}/.well-known/jwks.json`,
      health: `${issuer}/healthcheck`,
      documentation: `${issuer}/documentation`,
    },
    people: introduced.map((person) => ({
      login: person.login,
      ...(isPublished(person) && { password: person.password }),
      name: displayName(person),
      reason: reasonOf(person, language),
    })),
    further: people.all().length - introduced.length,
    begin: beginnings(config, language),
  }
}

/**
 * GET / says what this bank is and how to begin: on a page to who asks for HTML, in the language that the other pages would have, else as
 * JSON. It is no part of the specification.
 */
export function landingPlace(context: Pick<BankContext, 'config' | 'people'>): Router {
  return exactRouter().get('/', pageHeaders(context.config.issuer), (req, res) => {
    res.set({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language' })
    if (req.accepts(['json', 'html']) === 'html') {
      const language = languageAsked(req)
      res.send(landingPage(landing(context, language), language))
    } else {
      const { people, ...told } = landing(context, 'en')
      res.json({ ...told, people: people.map((person) => ({ ...person, reason: person.reason.text })) })
    }
  })
}

import { join } from 'node:path'
import type { Router } from 'express'
import type { Person } from '../../fixtures/people.js'
import type { BankContext } from '../context.js'
import { files } from '../keys/data-directory.js'
import { type Landing, landingPage } from '../pages/landing.js'
import { pageHeaders } from '../pages/page-headers.js'
import { exactRouter } from '../router.js'
import { displayName } from './interaction/display-name.js'

/** Lines for a terminal in the folder that the bank was started in. */
function beginnings({ issuer, data, bench }: BankContext['config']): Landing['begin'] {
  const trust = data === undefined ? '--insecure' : `--cacert ${join(data, files.authority)}`
  return [
    { line: `curl ${trust} ${issuer}/.well-known/openid-configuration`, what: 'See what the bank declares:' },
    ...(data === undefined
      ? []
      : [
          {
            line: `node docs/first-login.js ${data} ${issuer}`,
            what: 'See a whole login, in the folder of this package: it registers a client, sends you to log in and prints the claims.',
          },
        ]),
    ...(bench
      ? [
          {
            line: 'bank-idp start --bench-page',
            what: 'Start the bank so that your browser shows every request, and why it is refused:',
          },
        ]
      : []),
  ]
}

function landing({ config, people }: Pick<BankContext, 'config' | 'people'>): Landing {
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
      reason: person.reason,
    })),
    further: people.all().length - introduced.length,
    begin: beginnings(config),
  }
}

/** GET / says what this bank is and how to begin: on a page to who asks for HTML, else as JSON. It is no part of the specification. */
export function landingPlace(context: Pick<BankContext, 'config' | 'people'>): Router {
  return exactRouter().get('/', pageHeaders(context.config.issuer), (req, res) => {
    const told = landing(context)
    res.set({ 'cache-control': 'no-store', vary: 'Accept' })
    if (req.accepts(['json', 'html']) === 'html') res.send(landingPage(told))
    else res.json(told)
  })
}

import { perform } from '../operation.js'
import { registerClient } from '../operations/clients.js'
import { listConsents } from '../operations/consents.js'
import { logIn } from '../operations/logins.js'
import { mint } from '../operations/mint.js'
import { setOutcome } from '../operations/outcomes.js'
import { listClients, removeClient } from '../operations/registered-clients.js'
import { addTrouble } from '../operations/troubles.js'
import { unknownClient } from '../unknown-client.js'
import { Act } from './act.js'
import { ClientLink, Pairs, PersonLink, Rows } from './parts.js'
import type { Section } from './view.js'

/** The clients, and how another one is made. */
export const clients: Section = {
  path: '/clients',
  name: 'Clients',
  async show(view) {
    const all = await perform(listClients, view.bench, {})
    return {
      title: 'Clients',
      content: (
        <>
          <Rows empty="No client is registered.">
            {all.map(({ client_id, registered, record }) => (
              <li key={client_id}>
                <ClientLink id={client_id} name={String(record.client_name)} />
                <Pairs
                  of={{
                    'redirect URIs': [record.redirect_uris].flat().join('\n'),
                    authenticates: String(record.token_endpoint_auth_method),
                    registered,
                  }}
                />
              </li>
            ))}
          </Rows>
          <section>
            <h2>Make a client</h2>
            <p>Keys, certificate and all that is left out are made. They are shown once: copy them.</p>
            <Act
              view={view}
              operation={registerClient}
              label="Make it"
              fields={['redirect_uris', 'client_name', 'scope', 'token_endpoint_auth_method', 'jwks_uri', 'record']}
              tells
            />
          </section>
        </>
      ),
    }
  },
}

/** One client: its record, who approved what, and what can be done as it. */
export const client: Section = {
  path: '/clients/:id',
  async show(view, id) {
    const { bench } = view
    const known = (await perform(listClients, bench, {})).find(({ client_id }) => client_id === id)
    if (!known) throw await unknownClient(bench, String(id))
    const { client_secret, registered, record } = known
    const approved = (await perform(listConsents, bench, {})).filter((consent) => consent.client === id)
    return {
      title: String(record.client_name),
      content: (
        <>
          <Pairs of={{ client_id: id, client_secret, registered }} />
          <section>
            <h2>Record</h2>
            <Pairs of={record} />
          </section>
          <section>
            <h2>Who approved what</h2>
            <Rows empty="Nobody approved anything.">
              {approved.map(({ login, scopes }) => (
                <li key={login}>
                  <PersonLink login={login} />: {scopes.join(' ')}
                </li>
              ))}
            </Rows>
          </section>
          <section>
            <h2>Log somebody in</h2>
            <p>Through the real pages, with keys that were made here.</p>
            <Act
              view={view}
              operation={logIn}
              label="Log in"
              fixed={{ client_id: id }}
              fields={['login', 'scope', 'prompt', 'acr_values', 'decline']}
              tells
            />
          </section>
          <section>
            <h2>Mint tokens</h2>
            <Act
              view={view}
              operation={mint}
              label="Mint"
              fixed={{ client_id: id }}
              fields={['login', 'scope', 'expires_in']}
              tells
            />
          </section>
          <section>
            <h2>How its next login ends</h2>
            <Act
              view={view}
              operation={setOutcome}
              label="Set the outcome"
              fixed={{ client: id }}
              fields={['outcome']}
            />
          </section>
          <section>
            <h2>What its next answers have wrong</h2>
            <Act
              view={view}
              operation={addTrouble}
              label="Make trouble"
              fixed={{ client: id }}
              fields={['route', 'status', 'body', 'delay_seconds', 'broken', 'times']}
            />
          </section>
          <Act view={view} operation={removeClient} label="Remove the client" fixed={{ client_id: id }} danger tells />
        </>
      ),
    }
  },
}

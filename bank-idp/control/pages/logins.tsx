import { perform } from '../operation.js'
import { blockDevice, listDevices } from '../operations/devices.js'
import { endOneSession, listSessions } from '../operations/sessions.js'
import { endTokens, listTokens } from '../operations/tokens.js'
import { Act } from './act.js'
import { ClientLink, PersonLink, Rows } from './parts.js'
import type { Section } from './view.js'

/** Tokens by the authorization that they came of, the sessions, and the browsers that people sign in with. */
export const logins: Section = {
  path: '/logins',
  name: 'Tokens and sessions',
  async show(view) {
    const { bench } = view
    const [families, sessions, devices] = await Promise.all([
      perform(listTokens, bench, {}),
      perform(listSessions, bench, {}),
      perform(listDevices, bench, {}),
    ])
    return {
      title: 'Tokens and sessions',
      content: (
        <>
          <h2>Tokens</h2>
          <p>
            What was issued under one authorization is a family, and ends together. The values of tokens are nowhere
            kept.
          </p>
          <Rows empty="No code or token lives.">
            {families.map(({ family, client, login, session, tokens }) => (
              <li key={family}>
                <PersonLink login={login} /> at <ClientLink id={client} />
                {session === null ? ', without a login' : `, session ${session.slice(0, 8)}`}
                <ul>
                  {tokens.map(({ kind, issued, expires, scopes, used }) => (
                    <li key={`${kind} ${issued}`}>
                      {kind}
                      {used && ' (used)'}: {scopes.join(' ')}
                      <br />
                      <small>
                        issued {issued}, expires {expires}
                      </small>
                    </li>
                  ))}
                </ul>
                <Act view={view} operation={endTokens} label="End the family" fixed={{ family }} danger />
              </li>
            ))}
          </Rows>
          <h2>Sessions</h2>
          <Rows empty="Nobody is logged in.">
            {sessions.map(({ session, login, acr, amr, signed_in, clients }) => (
              <li key={session}>
                <PersonLink login={login} />, {acr} by {amr.join(' ')}, since {signed_in}
                <br />
                {clients.map((id) => (
                  <>
                    <ClientLink key={id} id={id} />{' '}
                  </>
                ))}
                <small>session {session.slice(0, 8)}</small>
                <br />
                <Act view={view} operation={endOneSession} label="Log out" fixed={{ session }} danger />
              </li>
            ))}
          </Rows>
          <h2>Browsers</h2>
          <Rows empty="Nobody has signed in with a browser.">
            {devices.map(({ device, people, blocked_since }) => (
              <li key={device}>
                {device.slice(0, 8)}: {people.map(({ login }) => login).join(', ')}
                {blocked_since !== null && <span class="on"> blocked since {blocked_since}</span>}
                <br />
                <Act
                  view={view}
                  operation={blockDevice}
                  label={blocked_since === null ? 'Block' : 'Allow again'}
                  fixed={{ device, blocked: blocked_since === null }}
                  danger={blocked_since === null}
                />
              </li>
            ))}
          </Rows>
        </>
      ),
    }
  },
}

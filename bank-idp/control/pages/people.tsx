import { matcher } from '../../matches.js'
import { perform } from '../operation.js'
import { listConsents, withdrawConsent } from '../operations/consents.js'
import { createPerson, deletePerson, setNextLogin, showNextLogin } from '../operations/made-people.js'
import { changePerson, listPeople, showPerson } from '../operations/people.js'
import { Act } from './act.js'
import { ClientLink, Pairs, PersonLink, Rows, Search } from './parts.js'
import type { Section } from './view.js'

/** Most people that are listed at once. */
const most = 100

/** Who can log in. */
export const people: Section = {
  path: '/people',
  name: 'People',
  async show(view) {
    const { bench, query } = view
    const search = query.get('search') ?? ''
    const matches = matcher(search)
    const found = (await perform(listPeople, bench, {})).filter(({ login, kinds, reason }) =>
      matches([login, ...kinds, reason].join(' ')),
    )
    return {
      title: 'People',
      content: (
        <>
          <Search label="Search by login name, kind or reason" value={search} />
          <Rows empty="Nobody was found.">
            {found.slice(0, most).map(({ login, password, reason }) => (
              <li key={login}>
                <PersonLink login={login} /> / {password}
                <br />
                <small>{reason}</small>
              </li>
            ))}
          </Rows>
          {found.length > most && <p>There are {found.length - most} more: search for them.</p>}
          <section>
            <h2>Make a person</h2>
            <p>Like another one, as far as nothing else is said.</p>
            <Act
              view={view}
              operation={createPerson}
              label="Make them"
              fields={['login', 'password', 'like', 'claims', 'acr', 'behaviour']}
            />
          </section>
        </>
      ),
    }
  },
}

/** One person: what the bank knows, what they approved, and how their next login differs. */
export const person: Section = {
  path: '/people/:id',
  async show(view, login) {
    const { bench } = view
    const known = await perform(showPerson, bench, { login })
    const approved = (await perform(listConsents, bench, {})).filter((consent) => consent.login === login)
    const { id, password, reason, kinds, acr, amr, claims, blocked } = known
    const next = await perform(showNextLogin, bench, { login })
    return {
      title: String(claims.name ?? login),
      content: (
        <>
          {blocked && (
            <p class="alert">
              <strong>{login} is blocked as a security risk</strong>: each login ends in User disabled authentication.
            </p>
          )}
          <Pairs
            of={{ login, password, id, reason, kinds: kinds.join(', '), 'highest level': acr, amr: amr.join(' ') }}
          />
          <section>
            <h2>Approved</h2>
            <Rows empty="Nothing for anybody.">
              {approved.map(({ client, scopes }) => (
                <li key={client}>
                  <ClientLink id={client} />: {scopes.join(' ')}
                  <br />
                  <Act view={view} operation={withdrawConsent} label="Withdraw" fixed={{ login, client }} />
                </li>
              ))}
            </Rows>
          </section>
          <section>
            <h2>Claims</h2>
            <Pairs of={{ ...claims }} />
            <h3>Change them</h3>
            <Act view={view} operation={changePerson} label="Change" fixed={{ login }} fields={['claims']} />
          </section>
          <section>
            <h2>The next login</h2>
            {Object.keys(next).length > 0 ? <Pairs of={{ ...next }} /> : <p>It is as all others.</p>}
            <Act view={view} operation={setNextLogin} label="Set it" fixed={{ login }} fields={['claims', 'outcome']} />
          </section>
          <section>
            <h2>Block as a security risk</h2>
            <p>All logins and tokens end at once, and the clients that took part are told.</p>
            {blocked ? (
              <Act view={view} operation={changePerson} label="Allow again" fixed={{ login, blocked: false }} />
            ) : (
              <Act view={view} operation={changePerson} label="Block" fixed={{ login, blocked: true }} danger />
            )}
          </section>
          <section>
            <h2>Remove</h2>
            <p>All logins and tokens end, and nobody has the login name any more.</p>
            <Act view={view} operation={deletePerson} label="Remove the person" fixed={{ login }} danger tells />
          </section>
        </>
      ),
    }
  },
}

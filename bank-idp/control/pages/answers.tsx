import { perform } from '../operation.js'
import { announceOutage, endOutage, listOutages } from '../operations/outages.js'
import { listOutcomes, setOutcome } from '../operations/outcomes.js'
import { addTrouble, clearTroubles, listTroubles } from '../operations/troubles.js'
import { Act } from './act.js'
import { ClientLink, Rows } from './parts.js'
import type { Section } from './view.js'

/** What comes out otherwise than it would, though the bank is right: outcomes of logins, outages, trouble with answers. */
export const answers: Section = {
  path: '/answers',
  name: 'Outcomes, outages and trouble',
  async show(view) {
    const { bench } = view
    const [outcomes, outages, troubles] = await Promise.all([
      perform(listOutcomes, bench, {}),
      perform(listOutages, bench, {}),
      perform(listTroubles, bench, {}),
    ])
    return {
      title: 'Outcomes, outages and trouble',
      content: (
        <>
          <h2>How the next login ends</h2>
          <Rows empty="As it does.">
            {outcomes.map(({ client, outcome }) => (
              <li key={client}>
                <ClientLink id={client} />: {outcome}
                <br />
                <Act view={view} operation={setOutcome} label="Unset" fixed={{ client, outcome: null }} />
              </li>
            ))}
          </Rows>
          <Act view={view} operation={setOutcome} label="Set" fields={['client', 'outcome']} />
          <h2>Outages</h2>
          <Rows empty="None is announced.">
            {outages.map(({ part, from, until, reason }) => (
              <li key={`${part} ${from}`}>
                {part}, from {from} {until === null ? 'without an end' : `until ${until}`}
                {reason !== null && `: ${reason}`}
                <br />
                <Act view={view} operation={endOutage} label="End it" fixed={{ part, from }} />
              </li>
            ))}
          </Rows>
          <Act view={view} operation={announceOutage} label="Announce" fields={['part', 'from', 'until', 'reason']} />
          <h2>Trouble with answers</h2>
          <Rows empty="No answer is to have anything wrong.">
            {troubles.map(({ route, times, client, ...wrong }) => (
              <li key={route}>
                {route}
                {client !== undefined && (
                  <>
                    {' '}
                    for <ClientLink id={client} />
                  </>
                )}
                , {times} times: {JSON.stringify(wrong)}
              </li>
            ))}
          </Rows>
          {troubles.length > 0 && <Act view={view} operation={clearTroubles} label="No more trouble" />}
          <Act
            view={view}
            operation={addTrouble}
            label="Make trouble"
            fields={['route', 'status', 'body', 'delay_seconds', 'broken', 'times', 'client']}
          />
        </>
      ),
    }
  },
}

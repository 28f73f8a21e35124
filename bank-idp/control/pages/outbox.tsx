import { perform } from '../operation.js'
import { listOutbox, retryOutbox } from '../operations/outbox.js'
import { Act } from './act.js'
import { Pairs, Rows } from './parts.js'
import type { Section } from './view.js'

/** What clients are to be told, and were not yet. */
export const outbox: Section = {
  path: '/outbox',
  name: 'Outbox',
  async show(view) {
    const entries = await perform(listOutbox, view.bench, {})
    return {
      title: 'Outbox',
      content: (
        <>
          <p>Logouts and notifications that did not arrive yet, and those that were given up.</p>
          <Act view={view} operation={retryOutbox} label="Send again all that was given up" fixed={{ retry: true }} />
          <Rows empty="Everything has arrived.">
            {entries.map(({ jti, kind, receiver, events, attempts, since, next, given_up, problem }) => (
              <li key={jti ?? receiver} class={given_up ? 'refused' : 'good'}>
                {kind} to {receiver}
                {problem !== undefined && <p class="why">{problem}</p>}
                <Pairs of={{ events, attempts, since, next: next ?? 'given up', jti }} />
                {given_up && jti !== undefined && (
                  <Act view={view} operation={retryOutbox} label="Send again" fixed={{ retry: jti }} />
                )}
              </li>
            ))}
          </Rows>
        </>
      ),
    }
  },
}

import { matcher } from '../../matches.js'
import { type RequestEntry, wasRefused } from '../../request-history.js'
import { perform } from '../operation.js'
import { listClients } from '../operations/registered-clients.js'
import { clearRequests, listRequests } from '../operations/requests.js'
import { Act } from './act.js'
import { root } from './layout.js'
import { ClientLink, Rows, timeOfDay } from './parts.js'
import type { Section } from './view.js'

/** What a request did, in a line: `POST /token (authorization_code) → 200`. */
function outcomeOf({ method, path, form, answer }: RequestEntry): string {
  const grant = typeof form?.grant_type === 'string' ? ` (${form.grant_type})` : ''
  return `${method} ${path.replace(/[\w-]{20,}/, '…')}${grant} → ${answer?.status ?? 'the caller went away'}`
}

/** Who asked, or says to be who asks. */
function namedIn({ client, form, query }: RequestEntry): string | undefined {
  return client ?? [form?.client_id, query.client_id].find((id) => typeof id === 'string')
}

function Entry({ entry, names }: { entry: RequestEntry; names: ReadonlyMap<string, string> }) {
  const { id, at, refusal } = entry
  const client = namedIn(entry)
  return (
    <li>
      <div class={`request ${refusal ? 'refused' : 'good'}`}>
        <span>{timeOfDay(at)}</span>
        <span>
          <a href={`${root}/requests/${id}`}>{outcomeOf(entry)}</a>{' '}
          {client !== undefined && names.has(client) && <ClientLink id={client} name={names.get(client)} />}
        </span>
        {refusal && (
          <span class="why">
            {refusal.error}
            {refusal.error_description !== undefined && `: ${refusal.error_description}`}
            {refusal.detail !== undefined && ` (${refusal.detail})`}
          </span>
        )}
      </div>
    </li>
  )
}

/** The last requests, the newest first: what was asked, what came of it, and why what was refused was. */
export const requests: Section = {
  path: '',
  name: 'Requests',
  async show(view) {
    const { bench, query } = view
    const search = query.get('search') ?? ''
    const refused = query.get('refused') === 'yes'
    const matches = matcher(search)
    const clients = await perform(listClients, bench, {})
    const names = new Map(clients.map(({ client_id, record }) => [client_id, String(record.client_name)]))
    const all = await perform(listRequests, bench, {})
    const found = [...all]
      .reverse()
      .filter((entry) => !refused || wasRefused(entry))
      .filter((entry) => {
        const client = namedIn(entry) ?? ''
        return matches([outcomeOf(entry), client, names.get(client) ?? '', entry.refusal?.error ?? ''].join(' '))
      })
    return {
      title: 'Requests',
      content: (
        <>
          <p>The last 200 requests to the bank, with all secrets that they carry. Open one to see what it says.</p>
          <form method="get" class="search">
            <label>
              Search by path, status, client or error
              <input type="search" name="search" value={search} autocomplete="off" />
            </label>
            <label>
              <input type="checkbox" name="refused" value="yes" checked={refused} /> Refused alone
            </label>
            <button type="submit">Search</button>
          </form>
          <div class="bar">
            <a href={view.here}>Show what came since</a>
            <button type="button" id="pause" aria-pressed="false" hidden>
              Pause
            </button>
            <span id="live-state" />
            <Act view={view} operation={clearRequests} label="Forget all" />
          </div>
          <div id="live">
            <Rows empty={all.length === 0 ? 'Nobody has asked for anything yet.' : 'No request is like that.'}>
              {found.map((entry) => (
                <Entry key={entry.id} entry={entry} names={names} />
              ))}
            </Rows>
          </div>
        </>
      ),
    }
  },
}

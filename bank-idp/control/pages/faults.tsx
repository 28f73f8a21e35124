import { openEdition } from '../../../schemas/editions/index.js'
import { perform } from '../operation.js'
import { type FaultAnswer, faultsAbout, listFaults, switchFault } from '../operations/faults.js'
import { Act } from './act.js'
import { ClientLink, Rows, Search } from './parts.js'
import type { Section, View } from './view.js'

/** Most faults that are listed at once. */
const most = 40

function Fault({ view, fault, sentences }: { view: View; fault: FaultAnswer; sentences: ReadonlyMap<string, string> }) {
  const { id, title, breaks, on, clients } = fault
  return (
    <li class={on ? 'refused' : 'good'}>
      <code>{id}</code> {on && <span class="on">on</span>}{' '}
      {clients.map((client) => (
        <>
          for <ClientLink key={client} id={client} />{' '}
        </>
      ))}
      <br />
      {title}
      <details>
        <summary>Breaks {breaks.join(', ')}</summary>
        {breaks.map((requirement) => (
          <p key={requirement}>
            <small>
              {requirement}: {sentences.get(requirement)}
            </small>
          </p>
        ))}
      </details>
      {on ? (
        <Act view={view} operation={switchFault} label="Switch off" fixed={{ id, on: false }} />
      ) : (
        <Act view={view} operation={switchFault} label="Switch on" fixed={{ id }} />
      )}
      {clients.map((client) => (
        <Act
          key={client}
          view={view}
          operation={switchFault}
          label={`Switch off for ${client.slice(0, 8)}`}
          fixed={{ id, on: false, client }}
        />
      ))}
    </li>
  )
}

/** The deviations from the specification, with what each breaks. */
export const faults: Section = {
  path: '/faults',
  name: 'Faults',
  async show(view) {
    const { bench, query } = view
    const search = query.get('search') ?? ''
    const { requirements } = openEdition(bench.context.config.edition)
    const sentences = new Map(requirements.map(({ id, text }) => [id, text]))
    const all = await perform(listFaults, bench, {})
    const found = faultsAbout(all, search).sort((a, b) => Number(b.on) - Number(a.on))
    return {
      title: 'Faults',
      content: (
        <>
          <p>
            {all.length} deviations from the specification, of which {all.filter(({ on }) => on).length} are on.
          </p>
          <Search label="Search by id, title or requirement" value={search} />
          <section>
            <h2>Found: {found.length}</h2>
            <Rows empty="No fault is like that.">
              {found.slice(0, most).map((fault) => (
                <Fault key={fault.id} view={view} fault={fault} sentences={sentences} />
              ))}
            </Rows>
            {found.length > most && <p>There are {found.length - most} more: search for them.</p>}
          </section>
          <section>
            <h2>Switch one for one client</h2>
            <Act view={view} operation={switchFault} label="Switch" fields={['id', 'client', 'on']} />
          </section>
        </>
      ),
    }
  },
}

import { operations } from '../operations/index.js'
import { Act } from './act.js'
import type { Section } from './view.js'

/** Every operation of the control API with all that it takes: what has no better place is done here. */
export const everything: Section = {
  path: '/operations',
  name: 'All operations',
  async show(view) {
    const { mistake } = view
    return {
      title: 'All operations',
      content: (
        <>
          <p>What the control API does, with each member that it takes.</p>
          {operations
            .filter(({ method }) => method === 'post')
            .map((operation) => (
              <details key={operation.id} open={mistake?.operation === operation.id}>
                <summary>
                  {operation.id}: {operation.summary}
                </summary>
                <Act
                  view={view}
                  operation={operation}
                  label={`POST ${operation.path}`}
                  fields={Object.keys(operation.input.properties)}
                  tells
                />
              </details>
            ))}
        </>
      ),
    }
  },
}

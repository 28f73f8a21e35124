import { perform } from '../operation.js'
import { moveClock, showClock } from '../operations/clock.js'
import { listKeys, rotateKeys } from '../operations/keys.js'
import { listSnapshots, reset, restore, snapshot } from '../operations/snapshots.js'
import { Act } from './act.js'
import { Pairs, Rows } from './parts.js'
import type { Section } from './view.js'

/** The clock, the keys, and the bank as a whole. */
export const state: Section = {
  path: '/state',
  name: 'Clock, keys and state',
  async show(view) {
    const { bench } = view
    const [clock, keys, snapshots] = await Promise.all([
      perform(showClock, bench, {}),
      perform(listKeys, bench, {}),
      perform(listSnapshots, bench, {}),
    ])
    const inMemory = bench.context.config.data === undefined
    return {
      title: 'Clock, keys and state',
      content: (
        <>
          <h2>Clock</h2>
          <p>It is that of the whole process.</p>
          <Pairs
            of={{
              now: clock.now,
              'ahead of the machine': `${clock.offset_seconds} s`,
              stands: clock.frozen ? 'yes' : 'no',
            }}
          />
          {(['advance_seconds', 'back_seconds', 'set'] as const).map((name) => (
            <Act
              key={name}
              view={view}
              operation={moveClock}
              label={{ advance_seconds: 'Move forward', back_seconds: 'Move back', set: 'Set' }[name]}
              fields={[name]}
            />
          ))}
          <Act
            view={view}
            operation={moveClock}
            label={clock.frozen ? 'Let it run' : 'Have it stand still'}
            fixed={{ frozen: !clock.frozen }}
          />
          <Act view={view} operation={moveClock} label="The machine's time again" fixed={{ reset: true }} />
          <h2>Keys</h2>
          <Rows empty="There are none.">
            {keys.map(({ kid, alg, use, made, retired }) => (
              <li key={kid}>
                {alg} ({use}), {kid}
                <br />
                <small>
                  made {made}
                  {retired !== null && `, retired ${retired}`}
                </small>
              </li>
            ))}
          </Rows>
          <Act view={view} operation={rotateKeys} label="Put new keys in their place" fields={['alg']} />
          <h2>The whole bank</h2>
          {inMemory ? (
            <>
              <Act view={view} operation={snapshot} label="Take a snapshot" />
              <Act view={view} operation={reset} label="Make the bank as new" danger />
              <Rows empty="No snapshot was taken.">
                {snapshots.map(({ id }) => (
                  <li key={id}>
                    {id}
                    <br />
                    <Act view={view} operation={restore} label="Go back to it" fixed={{ id }} danger />
                  </li>
                ))}
              </Rows>
            </>
          ) : (
            <p>A bank with a data directory keeps what happened: one that is reset lives in memory (--ephemeral).</p>
          )}
        </>
      ),
    }
  },
}

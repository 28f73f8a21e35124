import { type Actor, type Arrow, actors, type Sequence } from '../sequence.js'

/** Where each actor's line stands, in units of the drawing, which is 340 wide. */
const lane: Record<Actor, number> = { service: 30, browser: 170, bank: 310 }

const width = 340
const headHeight = 24
const rowHeight = 32
/** So many characters of a label fit above an arrow. */
const longestLabel = 46

/** The exchanges of a result as a drawing: the step that was changed and the one whose answer failed are marked by colour and by a word. */
export function SequenceView({ sequence: { earlier, arrows }, rule }: { sequence: Sequence; rule: string }) {
  if (arrows.length === 0) return null
  const first = headHeight + (earlier > 0 ? rowHeight / 2 : 0)
  const height = first + arrows.length * rowHeight + 8
  return (
    <svg class="sequence" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`What ${rule} sent, as a sequence`}>
      {actors.map((actor) => (
        <g key={actor}>
          <text class="actor" x={lane[actor]} y={14} text-anchor="middle">
            {actor}
          </text>
          <line class="lane" x1={lane[actor]} x2={lane[actor]} y1={headHeight - 4} y2={height} />
        </g>
      ))}
      {earlier > 0 && (
        <text x={lane.service} y={headHeight + 8}>
          {`… ${earlier} earlier`}
        </text>
      )}
      {arrows.map((arrow, i) => (
        <ArrowView key={`${arrow.label} ${first + i * rowHeight}`} arrow={arrow} top={first + i * rowHeight} />
      ))}
    </svg>
  )
}

function ArrowView({ arrow, top }: { arrow: Arrow; top: number }) {
  const [from, to] = [lane[arrow.from], lane[arrow.to]]
  const y = top + 22
  const back = from < to ? -6 : 6
  return (
    <g class={`arrow ${arrow.judged ? 'judged' : arrow.changed ? 'changed' : ''}`}>
      <text x={lane.service + 4} y={top + 14}>
        {labelOf(arrow)}
      </text>
      <line x1={from} x2={to} y1={y} y2={y} />
      <path d={`M ${to} ${y} l ${back} -4 v 8 z`} />
    </g>
  )
}

function labelOf({ label, answer, count, changed, judged }: Arrow): string {
  const marks = [judged && '✗', changed && `changed ${changed}:`].filter(Boolean).join(' ')
  const whole = [marks, label, count > 1 && `and ${count - 1} more`, `→ ${answer}`].filter(Boolean).join(' ')
  return whole.length > longestLabel ? `${whole.slice(0, longestLabel)}…` : whole
}

import { parseArgs } from 'node:util'
import { killBank } from './kills.js'
import { slowPeers } from './peers.js'
import { raceBank } from './races.js'
import { restartBank } from './restarts.js'
import { printTable, type Row } from './table.js'

/**
 * Soaks a bank: node dist/scripts/soak/run.js races|kills|peers|restarts [--rounds 200] [--at-once 20]
 * [--fault ID …] [--store URL] [--replicas 3] [--forgets]. Prints what was tried and what was lost. 0 is the only good figure, of a bank without a fault.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    'at-once': { type: 'string' },
    fault: { type: 'string', multiple: true },
    store: { type: 'string' },
    replicas: { type: 'string' },
    forgets: { type: 'boolean', default: false },
  },
})
const rounds = (usual: number) => Number(values.rounds ?? usual)
const { store, fault: faults = [], forgets } = values
const replicas = values.replicas === undefined ? undefined : Number(values.replicas)
const atOnce = (usual: number) => Number(values['at-once'] ?? usual)

const soaks: Record<string, () => Promise<Row[]>> = {
  races: () => raceBank({ rounds: rounds(200), atOnce: atOnce(20), faults, store, replicas }),
  kills: () => killBank({ rounds: rounds(50), atOnce: atOnce(10), writes: 40, faults, store, replicas, forgets }),
  peers: () => slowPeers({ connections: atOnce(200), requests: rounds(500) }),
  restarts: () => restartBank({ rounds: rounds(50), atOnce: atOnce(20), answers: 200 }),
}
const soak = soaks[positionals[0] ?? '']

/** What is wrong with what was asked for; undefined where nothing is. */
function mistakeIn(name: string): string | undefined {
  const isPlain = faults.length === 0 && store === undefined && replicas === undefined
  if (!soak || !(isPlain || ['races', 'kills'].includes(name)))
    return `name what to soak: ${Object.keys(soaks).join(', ')}; races and kills take --fault, --store and --replicas`
  if (forgets && (name !== 'kills' || store !== undefined || replicas !== undefined))
    return '--forgets is for kills of one process that keeps its store in a file'
  return replicas === undefined || replicas >= 2 ? undefined : '--replicas takes a number of processes, 2 or more'
}

const mistake = mistakeIn(positionals[0] ?? '')
if (!soak || mistake) {
  console.error(mistake)
  process.exitCode = 2
} else process.exitCode = printTable(await soak()) ? 0 : 1

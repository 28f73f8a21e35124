import { type Command, InvalidArgumentError } from 'commander'
import { startSimulator } from './simulator/simulator.js'
import { loadTarget } from './target/load-target.js'

interface ServeOptions {
  target: string[]
  port: number
  data: string
}

function portNumber(value: string): number {
  const port = Number(value)
  if (!/^\d+$/.test(value) || port > 65_535) throw new InvalidArgumentError('give a number from 0 to 65535.')
  return port
}

/** Where it prints, and what ends it. */
interface Output {
  out(text: string): void
  signal: AbortSignal
}

/** conformance serve: plays the federated service towards banks until it is ended. */
export function serveCommand(program: Command, output: Output): void {
  program
    .command('serve')
    .description(
      'play the federated service: receive events, answer requests for statistics, and let people log in and sign',
    )
    .requiredOption('--target <file...>', 'the files that describe the banks')
    .option('--port <number>', 'port to listen on, 0 for any free one', portNumber, 9443)
    .option('--data <directory>', 'the directory that keeps a journal of everything', '.service')
    .action(async ({ target, port, data }: ServeOptions) => {
      const targets = target.map((file) => loadTarget(file, { draft: true }))
      const simulator = await startSimulator({ targets, port, data, onEvent: (line) => output.out(line) })
      output.out(
        [
          `The service listens on ${simulator.url}: open it in a browser to log in and to sign.`,
          ...['/back-channel/logout', '/notify', '/user-stat-data'].map((path) => `  POST ${simulator.url}${path}`),
          `  GET  ${simulator.url}/.well-known/jwks.json`,
          ...targets.map(
            ({ issuer, idpId }) =>
              `Bank ${issuer}, ${idpId ? `idp_id ${idpId}` : 'without idp_id: it gets no statistics'}`,
          ),
        ].join('\n'),
      )
      if (!output.signal.aborted) {
        await new Promise<void>((resolve) => {
          output.signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
      await simulator.close()
    })
}

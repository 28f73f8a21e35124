import { main } from '../cli.js'

/**
 * Runs the command with these arguments, and gives its exit code and what it wrote.
 *
 * @param run what ends it, and who hears each line while it runs
 */
export async function command(args: string[], run: { signal?: AbortSignal; heard?: (line: string) => void } = {}) {
  const { signal = new AbortController().signal, heard = () => {} } = run
  const written = { out: [] as string[], err: [] as string[] }
  const write = (where: 'out' | 'err') => (line: string) => {
    written[where].push(line)
    heard(line)
  }
  const code = await main(args, { out: write('out'), err: write('err'), tell: write('out'), styled: false, signal })
  return { code, out: written.out.join('\n'), err: written.err.join('\n') }
}

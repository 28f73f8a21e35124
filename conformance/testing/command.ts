import { main } from '../cli.js'

/** Runs the command with these arguments, and gives its exit code and what it wrote. */
export async function command(args: string[], signal = new AbortController().signal) {
  const out: string[] = []
  const err: string[] = []
  const code = await main(args, {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    styled: false,
    signal,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

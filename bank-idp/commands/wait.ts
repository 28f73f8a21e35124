import { lookup } from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:https'
import type { LookupFunction } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import type { Command } from 'commander'
import { parse } from 'yaml'
import { isUrl } from '../../schemas/is-url.js'
import { UsageError } from '../errors.js'
import { DataDirectory, files } from '../keys/data-directory.js'
import { type DataFlag, dataOption, duration } from './options.js'
import type { Terminal } from './terminal.js'

interface WaitFlags extends DataFlag {
  readyFile?: string
  ca?: string
  timeout: number
}

/** Between two questions, in milliseconds. */
const pauseMs = 100

/** More than a health record ever is. */
const maxBytes = 65_536

/** Where to ask, and whom to believe. */
interface Place {
  issuer: string
  ca: string | undefined
}

/** The bank of a data directory; undefined as long as none has started there. */
function placeOf(data: string): Place | undefined {
  const directory = new DataDirectory(data)
  const [target, ca] = [directory.read(files.target), directory.read(files.authority)]
  if (target === undefined || ca === undefined) return undefined
  const { issuer } = (parse(target) ?? {}) as { issuer?: unknown }
  return typeof issuer === 'string' ? { issuer, ca } : undefined
}

/** The bank of a ready file, which is there while it listens: also one that keeps no directory. */
function placeIn(readyFile: string): Place | undefined {
  if (!existsSync(readyFile)) return undefined
  try {
    const { issuer, ca } = JSON.parse(readFileSync(readyFile, 'utf8')) as Place
    return { issuer, ca }
  } catch (cause) {
    throw new UsageError(`--ready-file: ${readyFile} is none that a bank wrote: ${(cause as Error).message}`, { cause })
  }
}

/** Finds a host by its name. Those below localhost are this machine (RFC 6761 section 6.3), which not every resolver knows. */
const find: LookupFunction = (host, options, found) =>
  lookup(host.endsWith('.localhost') ? 'localhost' : host, options, found)

/** The status of a health record; undefined when none came in time. @throws Error saying what came in place of one */
function health({ issuer, ca }: Place, withinMs: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const options = {
      agent: false,
      lookup: find,
      signal: AbortSignal.timeout(withinMs),
      ...(ca !== undefined && { ca }),
    } as const
    get(`${issuer}/healthcheck`, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('error', reject)
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxBytes) response.destroy(new Error('/healthcheck sends more than a health record'))
      })
      response.on('end', () => {
        try {
          const { status, description } = JSON.parse(text) as { status: string; description?: string }
          resolve(status === 'OK' ? 'OK' : `${status}: ${description ?? 'without a description'}`)
        } catch {
          reject(new Error(`/healthcheck answers ${response.statusCode} without a health record`))
        }
      })
    }).on('error', (error: NodeJS.ErrnoException) => (error.code === 'ABORT_ERR' ? resolve(undefined) : reject(error)))
  })
}

function authorityIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`--ca: ${file} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** What came in place of an answer, and what to do about it. */
function toldOf({ message, code = '' }: NodeJS.ErrnoException): string {
  const untrusted = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)_/.test(code)
  return untrusted ? `${message}: name the authority of its certificate by --ca` : message
}

export function waitCommand(program: Command, terminal: Terminal): void {
  program
    .command('wait')
    .description('wait until a bank works, as its /healthcheck tells; exit code 1 when it does not in time')
    .argument('[address]', "the bank's address (default: that of the bank on the data directory)")
    .option(
      '--ca <file>',
      "PEM file of the authority that signs the bank's certificate (default: the data directory's)",
    )
    .option('--ready-file <file>', 'that of `bank-idp start`, in place of a data directory')
    .option('--timeout <duration>', 'how long', duration, duration('60s'))
    .option(...dataOption)
    .action(async (address: string | undefined, { data, ca, readyFile, timeout }: WaitFlags) => {
      if (address !== undefined && !isUrl(address)) {
        throw new UsageError(`'${address}' is not an address: give one such as https://localhost:8443`)
      }
      const authority = ca === undefined ? undefined : authorityIn(ca)
      const deadline = performance.now() + timeout * 1000
      const left = () => Math.max(0, Math.ceil(deadline - performance.now()))
      let seen: string | undefined
      while (left() > 0) {
        const kept = readyFile === undefined ? placeOf(data) : placeIn(readyFile)
        const issuer = address?.replace(/\/$/, '') ?? kept?.issuer
        if (issuer !== undefined) {
          const place = { issuer, ca: authority ?? kept?.ca }
          const told = await health(place, left()).catch(toldOf)
          if (told === 'OK') return terminal.print(`The bank works at ${issuer}`)
          seen = told === undefined ? (seen ?? `${issuer} does not answer`) : `${issuer}: ${told}`
        }
        await after(Math.min(pauseMs, left()))
      }
      seen ??= readyFile === undefined ? `no bank has started on ${data} yet` : `there is no ${readyFile}`
      terminal.error(`bank-idp: no working bank within ${timeout} s: ${seen}`)
      terminal.fail()
    })
}

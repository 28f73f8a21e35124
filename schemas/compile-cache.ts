import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { readFileSync, statSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { cacheDirectory } from './cache-directory.js'
import { keep, readKept, whereItCan } from './kept-file.js'

/**
 * Has Node.js keep what it compiles, for the next start, where it can (22.1 and newer): in a folder of whoever starts it, since who could write
 * there could have them run anything. It is Node's as else: NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 has it keep nothing.
 */
export function keepCompiled(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown }
  // A user without a home directory keeps nothing.
  whereItCan(() => enableCompileCache?.(cacheDirectory()))
}

/** Bytes of a SHA-256. */
const digestBytes = 32

/** What V8 made of a file, as an earlier process kept it. */
class KeptCode {
  readonly #file: string
  readonly #name: string
  readonly #madeOf: string

  /** @param source whose name changes with what it holds; its size and its time tell of a change by hand */
  constructor(source: string) {
    const { size, mtimeMs } = statSync(source)
    // The tag stands for the version of V8, its flags and the processor.
    const runtime = [process.version, process.arch, cachedDataVersionTag()]
    this.#madeOf = [source, size, mtimeMs, ...runtime].join('\n')
    // One of each installation: the next version takes its place.
    this.#name = createHash('sha256')
      .update([dirname(source), ...runtime].join('\n'))
      .digest('hex')
      .slice(0, 16)
    this.#file = join(process.env.NODE_COMPILE_CACHE || cacheDirectory(), `start-${this.#name}`)
  }

  #digest(code: Uint8Array): Buffer {
    return createHash('sha256').update(this.#madeOf).update(code).digest()
  }

  /** V8 looks at little of it, so that it has to be what was kept to the last byte. */
  read(): Buffer | undefined {
    const kept = whereItCan(() => readKept(this.#file))
    if (!kept) return undefined
    const code = kept.subarray(digestBytes)
    return this.#digest(code).equals(kept.subarray(0, digestBytes)) ? code : undefined
  }

  write(code: Buffer): void {
    keep(this.#file, Buffer.concat([this.#digest(code), code]))
  }
}

/** Where it is told that a program is ready: all that a start compiles is compiled. */
const ready = channel('bank-idp-conformance:ready')

/** Tells so. */
export function tellReady(): void {
  ready.publish(undefined)
}

/**
 * Runs a CommonJS file of ASCII without import(), with what V8 made of it kept from one process to the next, as {@link keepCompiled} says: Node.js 20 does not do so, and
 * newer ones keep no more than this. What is kept is of another version, was cut short or belongs to somebody else: then V8 compiles as if there were none.
 */
export function runKept(file: string): void {
  const isOff = process.env.NODE_DISABLE_COMPILE_CACHE === '1' || process.env.NODE_V8_COVERAGE !== undefined
  const kept = isOff ? undefined : whereItCan(() => new KeptCode(file))
  const cachedData = kept?.read()
  const script = new Script(module.wrap(readFileSync(file, 'latin1')), {
    filename: file,
    ...(cachedData && { cachedData }),
  })
  if (kept && (!cachedData || script.cachedDataRejected)) {
    ready.subscribe(() => whereItCan(() => kept.write(script.createCachedData())))
  }
  const own = { exports: {} }
  script.runInThisContext()(own.exports, createRequire(file), own, file, dirname(file))
}

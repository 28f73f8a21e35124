import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { type CheerioAPI, load } from 'cheerio'
import { type AnyNode, Comment, Document, Element, ProcessingInstruction, Text } from 'domhandler'
import { BankFailure } from '../evidence/failure.js'
import { type FlatNode, type PageLimits, parsePages, type UnparsedPage } from './page-parser.js'
import { Slots } from './slots.js'

/**
 * A browser nests no deeper (Chromium, kMaximumHTMLParserDOMTreeDepth), and a page of a bank has far fewer nodes; its characters are those of a
 * megabyte, of which a parser makes hardly more.
 */
const limits: PageLimits = { depth: 512, nodes: 50_000, characters: 4 * 1024 ** 2 }

/** Seconds that the parsing of a page may take: it takes milliseconds, on a busy machine too. */
const parsingSeconds = 5

/** What a parser may use of memory, in MiB: a page has one. */
const parserMemory = 256

const endedByItself = 'the parser of pages ended by itself'

/** Pages are parsed one after the other, by one parser as long as none has to be ended. */
const turn = new Slots(1)
let parser: Promise<Worker> | undefined

/** A parser that could not be started, or that ended, is not asked again. */
function running(): Promise<Worker> {
  if (parser) return parser
  const starting = startParser()
  const forget = () => {
    if (parser === starting) parser = undefined
  }
  starting.then((started) => started.on('error', forget).on('exit', forget), forget)
  parser = starting
  return starting
}

async function startParser(): Promise<Worker> {
  const cheerio = createRequire(import.meta.url).resolve('cheerio')
  const treeAdapter = createRequire(cheerio).resolve('parse5-htmlparser2-tree-adapter')
  // What puts modules together into one file has functions say their names, by a function that it adds to the file.
  const started = new Worker(`const __name = (named) => named; (${parsePages})(require)`, {
    eval: true,
    workerData: { cheerio, treeAdapter, limits },
    resourceLimits: { maxOldGenerationSizeMb: parserMemory },
  })
  // Nobody waits for it but who has a page parsed.
  started.unref()
  await new Promise<void>((resolve, reject) => {
    started.once('message', () => resolve()).once('error', reject)
    started.once('exit', () => reject(new Error(endedByItself)))
  })
  return started
}

/**
 * Parses a page (HTML, "parsing HTML documents"), in a thread that is ended where it takes too long or too much: of one megabyte a page can
 * be made that takes hours, or that is a million times as large once it is parsed.
 * @param signal ends the wait for it, and its parsing
 * @param scripting whether whoever reads it runs scripts: what it has for others is not there for them
 * @throws BankFailure where a page is of that kind
 * @throws the signal's reason
 */
export async function parsePage(text: string, signal: AbortSignal, scripting = false): Promise<CheerioAPI> {
  const done = await turn.take(signal)
  try {
    return load(built(await answerOf(await running(), { text, scripting }, signal)))
  } finally {
    done()
  }
}

function answerOf(worker: Worker, page: UnparsedPage, signal: AbortSignal): Promise<FlatNode[]> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      worker.off('message', hear).off('error', fail).off('exit', exit)
    }
    const fail = (error: Error & { code?: string }) => {
      end()
      parser = undefined
      void worker.terminate()
      const tooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      reject(tooLarge ? beyond(`${parserMemory} MiB of memory`) : error)
    }
    const abort = () => fail(signal.reason)
    const exit = () => fail(new Error(endedByItself))
    const hear = (answer: FlatNode[] | string) => {
      end()
      if (typeof answer !== 'string') return resolve(answer)
      return reject(new BankFailure({ sentence: `sent a page of more than ${answer}` }))
    }
    const timer = setTimeout(() => fail(beyond(`${parsingSeconds} s`)), parsingSeconds * 1000)
    signal.addEventListener('abort', abort, { once: true })
    worker.on('message', hear).on('error', fail).on('exit', exit)
    worker.postMessage(page)
  })
}

/** @param limit what is not enough to parse the page */
function beyond(limit: string): BankFailure {
  return new BankFailure({ sentence: `sent a page that a parser does not come to the end of in ${limit}` })
}

/** The document whose nodes these are, the document itself first. */
function built(nodes: readonly FlatNode[]): Document {
  const document = new Document([])
  const made: AnyNode[] = [document]
  for (const node of nodes.slice(1)) {
    const parent = made[node.parent]
    const child = nodeOf(node)
    made.push(child)
    if (!parent || !('children' in parent)) continue
    const before = parent.children.at(-1)
    child.parent = parent
    child.prev = before ?? null
    if (before) before.next = child
    parent.children.push(child as Exclude<AnyNode, Document>)
  }
  return document
}

function nodeOf({ type, name, data, namespace, attributes }: FlatNode): AnyNode {
  if (type === 'root') return new Document([])
  if (type === 'text') return new Text(data)
  if (type === 'comment') return new Comment(data)
  if (type === 'directive') return new ProcessingInstruction(name, data)
  // As those that a parser makes: it has no attribute but its own.
  return Object.assign(new Element(name, Object.assign(Object.create(null), attributes)), { namespace })
}

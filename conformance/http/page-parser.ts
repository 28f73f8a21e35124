import type * as threads from 'node:worker_threads'
import type * as parser from 'cheerio'

/** By which the library makes the nodes of a page. */
type TreeAdapter = NonNullable<parser.CheerioOptions['treeAdapter']>

/** A node of a parsed page, by which it can go from one thread to another: the library's own are tied together in circles. */
export interface FlatNode {
  /** Place of its parent among the nodes. */
  parent: number
  /** As domhandler calls it. */
  type: string
  name: string
  data: string
  /** Of an element. */
  namespace: string
  attributes: Record<string, string>
}

/** What the thread is given to parse. */
export interface UnparsedPage {
  text: string
  /** Whether scripts are run, so that what is for those who run none is text (HTML, "the noscript element"). */
  scripting: boolean
}

export interface PageLimits {
  /** Levels of nesting. */
  depth: number
  nodes: number
  /** Of all that the nodes hold: a parser makes some elements again and again, attributes and all. */
  characters: number
}

/**
 * What the thread runs that parses pages: it answers each page with its nodes, parents before their children, or with the limit that the
 * page goes beyond. Its text is given to the thread: it sees nothing but its parameter.
 */
export function parsePages(require: NodeJS.Require): void {
  const { parentPort, workerData } = require('node:worker_threads') as typeof threads
  const { cheerio, treeAdapter, limits } = workerData as { cheerio: string; treeAdapter: string; limits: PageLimits }
  const { load } = require(cheerio) as typeof parser
  const { adapter } = require(treeAdapter) as { adapter: TreeAdapter }
  let made = 0
  // A page that multiplies as it is parsed is ended before it takes the memory of all: what a thread may use is not kept to by every Node.js.
  const counting: TreeAdapter = {
    ...adapter,
    createElement(...args) {
      made += 1
      if (made > limits.nodes) throw new Error('more nodes than a page has')
      return adapter.createElement(...args)
    },
  }
  const parsed = ({ text, scripting }: UnparsedPage): Node | undefined => {
    made = 0
    try {
      return load(text, { treeAdapter: counting, scriptingEnabled: scripting }).root()[0] as Node
    } catch (error) {
      if (made > limits.nodes) return undefined
      throw error
    }
  }
  type Node = Partial<Omit<FlatNode, 'parent'>> & { attribs?: Record<string, string>; children?: Node[] }
  const nodesOf = (root: Node): FlatNode[] | string => {
    const found: FlatNode[] = []
    let characters = 0
    let level: { node: Node; parent: number }[] = [{ node: root, parent: 0 }]
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > limits.depth) return `${limits.depth} levels`
      const next: typeof level = []
      for (const { node, parent } of level) {
        const { type = '', name = '', data = '', namespace = '', attribs = {}, children = [] } = node
        for (const held of [name, data, ...Object.entries(attribs).flat()]) characters += held.length
        if (characters > limits.characters) return `${limits.characters} characters once it is parsed`
        const own = found.push({ parent, type, name, data, namespace, attributes: { ...attribs } }) - 1
        // What a template holds is in no document: it is there for scripts, unless a browser shows it by itself (HTML, "the template element").
        const isInert = name === 'template' && !('shadowrootmode' in attribs)
        for (const child of isInert ? [] : children) next.push({ node: child, parent: own })
      }
      if (found.length + next.length > limits.nodes) return `${limits.nodes} nodes`
      level = next
    }
    return found
  }
  parentPort?.on('message', (page: UnparsedPage) => {
    const root = parsed(page)
    parentPort.postMessage(root ? nodesOf(root) : `${limits.nodes} nodes`)
  })
  parentPort?.postMessage('ready')
}

import { createHmac } from 'node:crypto'
import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import helmet from 'helmet'
import { constantTimeEqual } from '../../constant-time-equal.js'
import { BankError } from '../../errors.js'
import { exactRouter } from '../../router.js'
import { type Bench, perform } from '../operation.js'
import { operations } from '../operations/index.js'
import { givenIn, inputIn } from './act.js'
import { benchPage, root } from './layout.js'
import { liveScript } from './live.js'
import { destinations, sections } from './sections.js'
import { styleHash } from './styles.js'
import type { Mistake, Section, View } from './view.js'

/** What is derived of the token: whoever sees one does not know it, nor the other. */
const derived = (token: string, use: string) => createHmac('sha256', token).update(use).digest('base64url')

const headers: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: [styleHash],
      scriptSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
  // With none at all a browser would name no origin beside a form.
  referrerPolicy: { policy: 'same-origin' },
  // The door is plain http.
  strictTransportSecurity: false,
})

/** The value of a cookie (RFC 6265 section 5.4). */
function cookieOf({ headers }: Request, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** A page without what only who is let in may see. */
function notice(res: Response, status: number, title: string, text: string): void {
  const content = (
    <>
      <p>{text}</p>
      <p>
        <a href={root}>Open the bench</a>
      </p>
    </>
  )
  res.status(status).send(benchPage({ title, content, sections: [] }))
}

/**
 * Lets in a browser that was given the token in the address, once: from then on a cookie shows it, which no other site makes a browser send
 * and no script reads. Its name has the port, since browsers send cookies to every port of a host.
 */
function guard(token: string): RequestHandler {
  const pass = derived(token, 'bench cookie')
  return (req, res, next) => {
    const name = `bench-${req.socket.localPort}`
    const given = req.query.token
    if (typeof given === 'string' && constantTimeEqual(given, token)) {
      res.cookie(name, pass, { httpOnly: true, sameSite: 'strict', path: root }).redirect(303, root)
      return
    }
    if (constantTimeEqual(cookieOf(req, name) ?? '', pass)) return next()
    notice(res, 401, 'The bench is shut', 'Open the address that the bank printed at its start: it has the token.')
  }
}

/** Lets a form through that comes from a page of the bench: it knows the secret, and the browser does not say that it is of another site. */
function ofTheBench(req: Request, form: URLSearchParams, secret: string): boolean {
  const { origin, host, 'sec-fetch-site': site = 'same-origin' } = req.headers
  const own = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
  return own && site === 'same-origin' && constantTimeEqual(form.get('secret') ?? '', secret)
}

/** A path without its escapes; one whose escapes mean nothing as it is. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The section of an address below the bench, and the id that the address names. */
function sectionAt(path: string): { section: Section; id: string } | undefined {
  for (const section of sections) {
    const [, id = ''] = new RegExp(`^${section.path.replace(':id', '([^/]+)')}$`).exec(path) ?? []
    if (section.path === path || id !== '') return { section, id }
  }
  return undefined
}

/** Where a form leads back, with what was done there. */
function withDone(back: string, operation: string): string {
  const { pathname, searchParams } = new URL(back, 'http://bench.invalid')
  searchParams.set('done', operation)
  return `${pathname}?${searchParams}`
}

/** Where one goes back to when what the page was about is gone. */
const listAfter: Readonly<Record<string, string>> = { removeClient: `${root}/clients`, deletePerson: `${root}/people` }

/** The bench: pages about the running bank, each of whose buttons is an operation of the control API. */
export function benchPages(bench: Bench, token: string): Router {
  const secret = derived(token, 'bench form')

  /** Sends the page at an address of the bench. */
  async function send(res: Response, address: string, mistake?: Mistake): Promise<void> {
    const here = new URL(address, 'http://bench.invalid')
    const { pathname, searchParams: query } = here
    const done = operations.find(({ id }) => id === query.get('done'))?.summary
    query.delete('done')
    const at = sectionAt(readable(pathname).slice(root.length))
    if (!at) return notice(res, 404, 'Nothing is here', `The bench has no page at ${pathname}.`)
    const view: View = { bench, query, here: pathname + here.search, secret, mistake }
    try {
      const { title, content } = await at.section.show(view, at.id)
      const [, first = ''] = at.section.path.split('/')
      const current = first === 'requests' ? '' : at.section.path === '' ? '' : `/${first}`
      res.status(mistake ? 400 : 200).send(benchPage({ title, content, sections: destinations, current, done }))
    } catch (error) {
      if (!(error instanceof BankError)) throw error
      notice(res, error.status, 'Nothing is here', mistake?.message ?? error.message)
    }
  }

  async function act(req: Request, res: Response): Promise<void> {
    const form = new URLSearchParams(String(req.body))
    if (!ofTheBench(req, form, secret)) {
      return notice(res, 403, 'Not from the bench', 'This form does not come from a page of the bench.')
    }
    const operation = operations.find(({ id }) => id === req.params.operation)
    if (!operation) return notice(res, 404, 'Nothing is here', 'There is no such operation.')
    const given = form.get('back') ?? root
    const back = new RegExp(`^${root}([/?].*)?$`, 's').test(given) ? given : root
    try {
      const output = await perform(operation, bench, inputIn(form, operation.input))
      if (!form.has('tells')) return void res.redirect(303, withDone(back, operation.id))
      const content = (
        <>
          <p>{operation.summary}</p>
          <pre>{JSON.stringify(output, null, 2)}</pre>
          <p>
            <a href={listAfter[operation.id] ?? back}>Back</a>
          </p>
        </>
      )
      res.send(benchPage({ title: 'Done', content, sections: destinations }))
    } catch (error) {
      if (!(error instanceof BankError)) throw error
      const fixed = form.get('fixed') ?? '{}'
      await send(res, back, { operation: operation.id, fixed, given: givenIn(form), message: error.message })
    }
  }

  return exactRouter()
    .use(
      headers,
      (_req, res, next) => {
        res.set('cache-control', 'no-store')
        next()
      },
      guard(token),
    )
    .get('/live.js', (_req, res) => void res.type('text/javascript').send(liveScript))
    .post('/do/:operation', express.text({ type: () => true, limit: '100kb' }), act)
    .get(/.*/, (req, res) => send(res, req.originalUrl))
}

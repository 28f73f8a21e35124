import { setTimeout } from 'node:timers/promises'
import type { BrowserContext, Browser as Chromium, Frame, Locator, Request, Page as Tab } from 'playwright-core'
import type { Recorder } from '../evidence/evidence.js'
import { NoAnswer } from '../evidence/failure.js'
import { HttpResponse, largestBodyBytes } from '../http/http.js'
import { parsePage } from '../http/page.js'
import { allCalledIn, type Filling, loginDefaults, type Page } from '../target/login-settings.js'
import type { Target } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import { Boxes, found } from './boxes.js'
import { startChromium } from './chromium.js'
import { Denials } from './denials.js'
import type { AuthorizationTask, EndUser, Visit, VisitContext } from './end-user.js'
import { ended } from './ended.js'
import { type Writer, writerFor } from './filling.js'
import type { Guide } from './forms.js'
import { GoneOnFrom } from './gone-on-from.js'
import { unrecognised } from './page-words.js'
import { change, PutOff } from './put-off.js'
import { asCallback, pageRepeated, stayed } from './redirect.js'
import { SignIn, SignIns } from './sign-ins.js'
import { tick } from './tick.js'
import { startVerifyingProxy, type VerifyingProxy } from './verifying-proxy.js'
import { WatchedPage } from './watched-page.js'

/** How often is looked whether the page is another one, in milliseconds. */
const pollIntervalMs = 50

/** A page that nothing recognises and on which nothing moves for so long is the end of the way where none leads back, in milliseconds. */
const settledAfterMs = 1_000

/** Seconds for a connection of the browser to come about, unless a request of the harness may take longer. */
const connectionSeconds = 10

/** Origins that are named of which something is missing: a page may name any number. */
const mostMissing = 100

/** A bank, and what connections to it take. */
type BrowserGuide = Guide & Pick<Target, 'ca' | 'clientCertificate' | 'certificateEverywhere'>

/**
 * An end-user in a real browser, who does on each page what `login.pages` of the target file say. Each browser of theirs keeps
 * its own cookies. The harness verifies the certificates of all that the browser is shown, as those of its own connections.
 * @param say is told how the browser is less protected than it should be, and what it was not let load
 */
export function browserEndUser(guide: BrowserGuide, say: (text: string) => void = () => {}): EndUser {
  let started: Promise<{ chromium: Chromium; proxy: VerifyingProxy }> | undefined
  const start = async () => {
    const { ca, clientCertificate, certificateEverywhere, timeoutSeconds = connectionSeconds } = guide
    const proxy = await startVerifyingProxy(
      { ca, ...(certificateEverywhere && clientCertificate) },
      1000 * Math.max(timeoutSeconds, connectionSeconds),
    )
    try {
      return { proxy, chromium: await startChromium(proxy, guide.login?.browser, say) }
    } catch (error) {
      await proxy.close()
      throw error
    }
  }
  const missing = new Set<string>()
  /** What a page loads from elsewhere is not the login, which may do without it. */
  const missed = (url: string, why: string | undefined) => {
    if (why === undefined || missing.size >= mostMissing || missing.has(new URL(url).origin)) return
    missing.add(new URL(url).origin)
    say(`what pages load from ${new URL(url).origin} is missing in the browser: whoever answers there ${why}`)
  }
  const kept = new Set<string>()
  const keptFrom = (url: string) => {
    const { origin } = new URL(url)
    if (kept.has(origin) || kept.size >= mostMissing) return
    kept.add(origin)
    say(
      `a page of the bank was not let send what was entered to ${origin}; if that is also the bank's, name it in login.origins`,
    )
  }
  const signIns = new SignIns()
  return {
    open() {
      let browser: Promise<{ context: BrowserContext; proxy: VerifyingProxy }> | undefined
      /** What is before the person. */
      let current: WatchedPage | undefined
      const watch = (watched: WatchedPage) => {
        current = watched
      }
      const opened = async () => {
        started ??= start()
        const { chromium, proxy } = await started
        const context = await chromium.newContext({ viewport: { width: 800, height: 600 } })
        context.on('requestfailed', (request) => {
          if (request.resourceType() !== 'document') missed(request.url(), proxy.trouble(request.url()))
        })
        // Documents of the tab itself are watched there; this is for those of frames in it, and of further tabs.
        await context.route('**', async (route) => {
          const request = route.request()
          const isElsewhere = request.isNavigationRequest() && frameOf(request) !== current?.tab.mainFrame()
          if (!isElsewhere || !current?.keepsFrom(request.url())) return route.continue()
          keptFrom(request.url())
          return route.abort('blockedbyclient')
        })
        return { context, proxy }
      }
      return {
        async visit(task, context) {
          browser ??= opened()
          const { context: own, proxy } = await browser
          const tab = await own.newPage()
          const tabs = [tab]
          tab.on('popup', (further) => tabs.push(further))
          const close = () => {
            for (const one of tabs) one.close().catch(() => {})
          }
          const signIn = new SignIn(signIns, task)
          context.signal.addEventListener('abort', close, { once: true })
          try {
            context.signal.throwIfAborted()
            return await visit(guide, task, context, { tab, proxy, signIn, watch })
          } catch (error) {
            context.signal.throwIfAborted()
            throw error
          } finally {
            signIn.end('unknown')
            context.signal.removeEventListener('abort', close)
            close()
          }
        },
      }
    },
    async close() {
      const { chromium, proxy } = (await started?.catch(() => undefined)) ?? {}
      await chromium?.close()
      await proxy?.close()
    },
  }
}

/** The frame that asks for a document; undefined where that is a tab which is only coming about. */
function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame()
  } catch {
    return undefined
  }
}

async function visit(
  guide: Guide,
  task: AuthorizationTask,
  context: VisitContext,
  { tab, proxy, signIn, watch }: { tab: Tab; proxy: VerifyingProxy; signIn: SignIn; watch(page: WatchedPage): void },
): Promise<Visit> {
  const milliseconds = 1000 * Math.max(guide.timeoutSeconds ?? 0, guide.login?.pageSeconds ?? loginDefaults.pageSeconds)
  tab.setDefaultTimeout(milliseconds)
  proxy.showCertificate(task.origins)
  const watched = await WatchedPage.open(tab, task, context.evidence, proxy)
  watch(watched)
  const write = task.person && writerFor(task.person, guide.login?.code, context.evidence)
  const passed: string[] = []
  const goneOnFrom = new GoneOnFrom()
  const denials = new Denials(guide.pages, task.denyScopes, task.knownScopes)
  const putOff = new PutOff(guide.pages, task.actions, denials)
  try {
    await watched.go(milliseconds)
    let before: Sight | undefined
    /** When the page that is waited at is given up. */
    let waitsUntil = 0
    for (;;) {
      const sight = await nextSight(guide.pages, watched, task, before, milliseconds)
      const { back } = watched
      const shown = async () => (await asShown(watched, context.signal)).document
      const stays = sight?.page.waits === true && sight.name === before?.name
      const again = sight !== undefined && !stays && (await goneOnFrom.isThereAgain(sight, shown))
      if (back || sight || (watched.response?.status ?? 0) < 400)
        signIn.end(again && !back ? pageRepeated(sight.name, sight.page) : 'taken')
      if (back) {
        const { location, posted } = back
        const response = await withPage(back.response, context.signal)
        signIn.cameBack(passed)
        return ended(asCallback(response, location, passed, posted), denials, putOff)
      }
      const response = await asShown(watched, context.signal)
      if (!sight) {
        const why = unrecognised(response, signIn.hasToLeadBack(), watched.scripts)
        return await blockedVisit(watched, context.evidence, { response, pages: passed }, why)
      }
      const { name, page } = sight
      if (!stays && (!again || before?.document !== sight.document)) passed.push(...allCalledIn([name, page]))
      const isThere = async (selector: string) => (await tab.locator(selector).count()) > 0
      const action = await putOff.actionOn(sight, isThere, response)
      if (!write || action === 'leave') return { response, pages: passed, ...putOff.looked() }
      if (again)
        return await blockedVisit(watched, context.evidence, { response, pages: passed }, pageRepeated(name, page))
      if (action === change) goneOnFrom.mayComeAgain(name)
      if (action === 'submit' && page.waits) {
        if (!stays) waitsUntil = performance.now() + milliseconds
        before = sight
        if (performance.now() < waitsUntil) continue
        return await blockedVisit(
          watched,
          context.evidence,
          { response, pages: passed },
          stayed(name, milliseconds / 1000),
        )
      }
      if (action === 'submit') await signIn.begin(page)
      watched.filledIn = true
      await act(tab, name, page, { action, denials, write })
      before = sight
    }
  } catch (error) {
    if (!context.signal.aborted) {
      await keepPage(watched, context.evidence)
      if (error instanceof NoAnswer) await expectPresence(task, context)
    }
    throw error
  }
}

/** A bank that answers nobody any more is not judged by what the browser missed: what is sent to it finds out. @throws Unreachable */
async function expectPresence({ url }: AuthorizationTask, context: VisitContext): Promise<void> {
  await context.send({ method: 'GET', url }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error
  })
}

/** What is before the person. */
interface Look {
  /** Tells the document from every other one. */
  document: number
  /** The first entry of the target file whose `when` matches something that is there to be seen, or a hidden field. */
  name?: string
}

/** A page of the target file that is before the person. */
type Sight = Required<Look> & { page: Page }

/**
 * Waits for a page that an entry of the target file recognises, another one than before.
 * @returns undefined when the browser is on its way back, or nothing is recognised in the time that a page may take
 * @throws BankFailure when the bank sends the browser to an unexpected address
 */
async function nextSight(
  pages: ReadonlyMap<string, Page>,
  watched: WatchedPage,
  task: AuthorizationTask,
  before: Sight | undefined,
  milliseconds: number,
): Promise<Sight | undefined> {
  const end = performance.now() + milliseconds
  for (;;) {
    if (watched.failure) throw watched.failure
    if (watched.back) return undefined
    const look = await lookAt(watched.tab, pages)
    const page = look?.name === undefined ? undefined : pages.get(look.name)
    const sight = look?.name !== undefined && page ? { ...look, name: look.name, page } : undefined
    const over = performance.now() > end
    if (sight && (over || sight.document !== before?.document || sight.name !== before.name)) return sight
    const last = task.redirectUris.length === 0 || (watched.response?.status ?? 0) >= 400
    if (over || (look && !sight && last && watched.quiet > settledAfterMs)) return undefined
    await setTimeout(pollIntervalMs)
  }
}

/** @returns undefined while the document is on its way */
async function lookAt(tab: Tab, pages: ReadonlyMap<string, Page>): Promise<Look | undefined> {
  const entries = [...pages].map(([name, { when }]): [string, string] => [name, when])
  const seen = await tab
    .evaluate((known) => {
      // The browser is given the text of this function: it can call nothing that stands outside of it, nor what a bundler puts there.
      if (document.readyState === 'loading') return undefined
      const look: { document: number; name?: string; wrong?: string } = { document: performance.timeOrigin }
      for (const [name, when] of known) {
        try {
          const found = [...document.querySelectorAll(when)]
          if (found.some((one) => one.matches('input[type=hidden]') || one.getClientRects().length > 0))
            return { ...look, name }
        } catch {
          return { ...look, wrong: when }
        }
      }
      return look
    }, entries)
    // The page was left while it was looked at.
    .catch(() => undefined)
  if (seen?.wrong !== undefined)
    throw new TargetError([`login.pages: ${seen.wrong} is not a CSS selector that the browser accepts`])
  return seen
}

/** The document that is there, its content as scripts have made it by now. */
async function asShown({ tab, response }: WatchedPage, signal: AbortSignal): Promise<HttpResponse> {
  if (!response) throw new TargetError(['login.browser: the browser showed no document of the bank'])
  const shown = await tab.content().catch(() => response.text)
  const content = Buffer.byteLength(shown) > largestBodyBytes ? response.text : shown
  return withPage(response, signal, content)
}

/** An answer with its page parsed, where it has one. */
async function withPage(response: HttpResponse, signal: AbortSignal, content = response.text): Promise<HttpResponse> {
  if (!response.isPage || content === '') return response
  const { request, status, headers, evidence } = response
  return new HttpResponse(request, status, headers, content, evidence, await parsePage(content, signal, true))
}

interface Acting {
  action: string
  denials: Denials
  write: Writer
}

/** Fills the page in, does its steps and presses the button. @throws TargetError naming what is not on the page */
async function act(tab: Tab, name: string, page: Page, { action, denials, write }: Acting): Promise<void> {
  const at = `login.pages.${name}`
  await fillIn(tab, page.fill, write, `${at}.fill`)
  const boxes = new Boxes(tab, name, page, denials)
  await boxes.choose(page.steps ? 'of this stage' : 'all')
  for (const [i, step] of (page.steps ?? []).entries()) {
    const here = `${at}.steps.${i}`
    if ('fill' in step) await fillIn(tab, step.fill, write, `${here}.fill`)
    else if ('click' in step) await found(tab.locator(step.click).first().click(), nothing(`${here}.click`, step.click))
    else await found(tab.locator(step.wait_for).first().waitFor(), nothing(`${here}.wait_for`, step.wait_for))
  }
  if (page.steps) await boxes.choose('all')
  const button = page.actions[action]
  if (button === undefined)
    throw new TargetError([`${at}.actions.${action}: nothing matches neither a button of a form nor a link`])
  await found(tab.locator(button).first().click({ noWaitAfter: true }), nothing(`${at}.actions.${action}`, button))
}

async function fillIn(tab: Tab, filling: Filling, write: Writer, place: string): Promise<void> {
  for (const [selector, value] of Object.entries(filling)) {
    const control = tab.locator(selector).first()
    await found(enter(control, typeof value === 'string' ? await write(value) : value), nothing(place, selector))
  }
}

async function enter(control: Locator, value: string | boolean): Promise<void> {
  if (typeof value === 'boolean') return tick(control, value)
  const choice = await control.evaluate((element) => element.matches('select'))
  if (choice) await control.selectOption(value)
  else await control.fill(value)
}

function nothing(place: string, selector: string): string {
  return `${place}: no usable element of the page matches ${selector}`
}

async function blockedVisit(
  watched: WatchedPage,
  evidence: Recorder,
  visit: Omit<Visit, 'blockedBy'>,
  blockedBy: Error,
): Promise<Visit> {
  await keepPage(watched, evidence)
  return { ...visit, blockedBy }
}

/** Keeps the page as it stands: its source, and a picture with everything that was entered painted over. */
async function keepPage({ tab }: WatchedPage, evidence: Recorder): Promise<void> {
  const source = await tab.content().catch(() => '')
  const picture = await tab
    .screenshot({ type: 'jpeg', quality: 60, mask: [tab.locator('input, textarea, select')], timeout: 5_000 })
    .catch(() => undefined)
  evidence.page({ url: tab.url(), source, ...(picture && { screenshot: picture.toString('base64') }) })
}

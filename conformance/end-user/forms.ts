import { setTimeout } from 'node:timers/promises'
import { type CheerioAPI, load } from 'cheerio'
import { CookieJar } from 'tough-cookie'
import { isUrl } from '../../schemas/is-url.js'
import type { Recorder } from '../evidence/evidence.js'
import { BankFailure } from '../evidence/failure.js'
import { formBytes, formText } from '../http/charset.js'
import type { HttpRequest, HttpResponse } from '../http/http.js'
import { allCalledIn, type LoginSettings, loginDefaults, type Page } from '../target/login-settings.js'
import { TargetError } from '../target/target-error.js'
import { Denials } from './denials.js'
import type { AuthorizationTask, EndUser, Visit, VisitContext } from './end-user.js'
import { ended } from './ended.js'
import { type Writer, writerFor } from './filling.js'
import { type FormPost, formPostOf } from './form-post.js'
import { GoneOnFrom } from './gone-on-from.js'
import { baseOf, charsetOfForm, encoded, fieldsOf, fieldsOfButton, formOf, isMultipart } from './page-forms.js'
import { unrecognised } from './page-words.js'
import { change, PutOff } from './put-off.js'
import { asCallback, isAnswer, matchesRedirectUri, pageRepeated, stayed, unexpectedRedirect } from './redirect.js'
import { type Refresh, refreshOf } from './refresh.js'
import { SignIn, SignIns } from './sign-ins.js'

/** Requests of one authorization, redirects included, before it is taken for endless. */
const mostRequests = 30

type Selection = ReturnType<CheerioAPI>

type Send = (request: HttpRequest) => Promise<HttpResponse>

/** What is needed to know of a bank to go through its pages. */
export interface Guide {
  /** In the order they are tried. */
  pages: ReadonlyMap<string, Page>
  login?: LoginSettings
  timeoutSeconds?: number
}

/** An end-user who fills in the bank's HTML forms over HTTP, as the `login.pages` of the target file say. */
export function formsEndUser(guide: Guide): EndUser {
  const signIns = new SignIns()
  return {
    open() {
      const jar = new CookieJar()
      return { visit: (task, context) => visit(guide, task, context, { jar, signIns }) }
    },
    async close() {},
  }
}

async function visit(
  guide: Guide,
  task: AuthorizationTask,
  context: VisitContext,
  { jar, signIns }: { jar: CookieJar; signIns: SignIns },
): Promise<Visit> {
  const signIn = new SignIn(signIns, task)
  try {
    return await goThrough(guide, task, context, { jar, signIn })
  } finally {
    signIn.end('unknown')
  }
}

async function goThrough(
  { pages, login, timeoutSeconds = 0 }: Guide,
  task: AuthorizationTask,
  context: VisitContext,
  { jar, signIn }: { jar: CookieJar; signIn: SignIn },
): Promise<Visit> {
  const seconds = Math.max(timeoutSeconds, login?.pageSeconds ?? loginDefaults.pageSeconds)
  const send: Send = (message) => browse({ ...message, seconds }, jar, (request) => context.send(request))
  const write = task.person && writerFor(task.person, login?.code, context.evidence)
  const passed: string[] = []
  const goneOnFrom = new GoneOnFrom()
  const denials = new Denials(pages, task.denyScopes, task.knownScopes)
  const putOff = new PutOff(pages, task.actions, denials)
  let request = firstRequest(task)
  let waited = 0
  /** The page that is waited at. */
  let waitingAt: string | undefined
  for (let count = 0; count < mostRequests; count += 1) {
    const isThere = waitingAt
    waitingAt = undefined
    const response = await send(request)
    const post = formPostOf(response)
    if (post && endsAt(post, response, task)) {
      signIn.end('taken')
      return ended(asCallback(response, post.location, passed, post.posted), denials, putOff)
    }
    const found = response.location === undefined ? recognise(pages, response) : undefined
    if (found) {
      const stays = found.page.waits === true && found.name === isThere
      if (!stays) waited = 0
      const again = !stays && (await goneOnFrom.isThereAgain(found, () => found.document))
      signIn.end(again ? pageRepeated(found.name, found.page) : 'taken')
      if (!stays) passed.push(...allCalledIn([found.name, found.page]))
      const action = await putOff.actionOn(found, (selector) => found.document(selector).length > 0, response)
      if (!write || action === 'leave') return { response, pages: passed, ...putOff.looked() }
      if (again) return { response, pages: passed, blockedBy: pageRepeated(found.name, found.page) }
      if (action === change) goneOnFrom.mayComeAgain(found.name)
      if (action === 'submit' && found.page.waits) waitingAt = found.name
      else if (action === 'submit') await signIn.begin(found.page)
      if (waitingAt === undefined)
        request = await submission({ ...found, action, response, task, write, denials, evidence: context.evidence })
      // A link may lead to the service at once, which is not asked.
      if (isCallback(request.url, task)) return ended(asCallback(response, request.url, passed), denials, putOff)
      if (waitingAt === undefined) continue
    }
    const way = wayOn(response, task, seconds - waited)
    if (post && postsOn(post, response, task)) {
      request = await formRequest(post.location, post.posted, post, response)
    } else if (!way) {
      if (waitingAt !== undefined) return { response, pages: passed, blockedBy: stayed(waitingAt, seconds) }
      if (response.status < 400) signIn.end('taken')
      return { response, pages: passed, blockedBy: unrecognised(response, signIn.hasToLeadBack(), 'not run') }
    } else if (isCallback(way.location, task)) {
      signIn.end('taken')
      signIn.cameBack(passed)
      return ended(asCallback(response, way.location, passed), denials, putOff)
    } else {
      request = redirected(request, response, way.location, task)
      waited += way.seconds
      // What waits asks often, and is bounded by time.
      if (way.seconds >= 1) count -= 1
      await setTimeout(1000 * way.seconds, undefined, { signal: context.signal })
    }
  }
  throw new BankFailure({
    sentence: `the bank did not redirect the browser to the client within ${mostRequests} requests`,
  })
}

/** What the browser asks first: by a form, where the task has one. */
function firstRequest({ url, posted }: AuthorizationTask): HttpRequest {
  if (!posted) return { method: 'GET', url }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', url: posted.url, headers, body: posted.form }
}

function isCallback(location: string, { redirectUris }: AuthorizationTask): boolean {
  return redirectUris.some((uri) => matchesRedirectUri(location, uri))
}

/** Whether a page posts the answer to the service by itself. @throws BankFailure where it posts the answer elsewhere */
function endsAt({ location, posted }: FormPost, response: HttpResponse, task: AuthorizationTask): boolean {
  if (isCallback(location, task)) return true
  if (!task.origins.includes(new URL(location).origin) && isAnswer(posted))
    throw unexpectedRedirect(location, task, whichPage(response), response.evidence, posted)
  return false
}

/** Whether a page goes on to the bank by itself, to another host of its too. @throws TargetError, BankFailure where it goes elsewhere */
function postsOn({ location, posted, unattended }: FormPost, response: HttpResponse, task: AuthorizationTask): boolean {
  if (!unattended) return false
  if (task.origins.includes(new URL(location).origin)) return true
  if (mayEndAnywhere(task)) return false
  throw unexpectedRedirect(location, task, whichPage(response), response.evidence, posted)
}

function whichPage({ request: { method, url } }: HttpResponse): string {
  return `the page of ${method} ${url}`
}

/** Whether the way may end where it leads away from the bank. */
function mayEndAnywhere({ endsAnywhere, redirectUris }: AuthorizationTask): boolean {
  return endsAnywhere === true || redirectUris.length === 0
}

/**
 * Where an answer that is no page to be filled in leads.
 *
 * @param seconds that the browser waits at most for a page to go on by itself
 */
function wayOn(response: HttpResponse, task: AuthorizationTask, seconds: number): Refresh | undefined {
  const { location } = response
  if (location !== undefined) return { location, seconds: 0 }
  const refresh = refreshOf(response)
  if (refresh === undefined || refresh.seconds > seconds) return undefined
  const known = isCallback(refresh.location, task) || task.origins.includes(new URL(refresh.location).origin)
  // What goes away from the bank is the end of the way, where the way may end there.
  const endsHere = !known && mayEndAnywhere(task)
  return endsHere ? undefined : refresh
}

async function browse(request: HttpRequest, jar: CookieJar, send: Send): Promise<HttpResponse> {
  const cookie = await jar.getCookieString(request.url)
  const headers = { accept: 'text/html,application/xhtml+xml', ...request.headers, ...(cookie && { cookie }) }
  const response = await send({ ...request, headers })
  for (const setCookie of [response.headers['set-cookie'] ?? []].flat()) {
    await jar.setCookie(setCookie, request.url, { ignoreError: true })
  }
  return response
}

function redirected(from: HttpRequest, response: HttpResponse, location: string, task: AuthorizationTask): HttpRequest {
  if (!task.origins.includes(new URL(location).origin)) {
    const { method, url } = response.request
    const what = response.location === undefined ? 'page' : 'redirect'
    throw unexpectedRedirect(location, task, `the ${what} of ${method} ${url}`, response.evidence)
  }
  // 307 and 308 repeat the request as it was (RFC 9110 section 15.4.8); browsers make a GET of every other one.
  return response.status === 307 || response.status === 308
    ? { ...from, url: location }
    : { method: 'GET', url: location }
}

interface Recognised {
  name: string
  page: Page
  document: CheerioAPI
}

function recognise(pages: ReadonlyMap<string, Page>, response: HttpResponse): Recognised | undefined {
  const { document } = response
  for (const [name, page] of pages) if (document(page.when).length > 0) return { name, page, document }
  return undefined
}

interface Filling extends Recognised {
  action: string
  response: HttpResponse
  task: AuthorizationTask
  write: Writer
  denials: Denials
  evidence: Recorder
}

/** What the browser sends when the page is filled in and its button pressed (HTML, "form submission algorithm"). */
async function submission(filling: Filling): Promise<HttpRequest> {
  const { name, page, action, response, task, write, denials, evidence } = filling
  const document = load(filling.document.root().clone().get(0) ?? '')
  for (const [selector, value] of Object.entries(page.fill)) {
    const control = document(selector)
    if (control.length === 0)
      throw new TargetError([`login.pages.${name}.fill: nothing on the page matches ${selector}`])
    fill(document, control, typeof value === 'string' ? await write(value) : value)
  }
  if (page.tick === 'all') fill(document, document('input[type=checkbox]:not([disabled])'), true)
  for (const [scope, selector] of denials.at(name, page)) {
    const box = document(selector)
    if (box.length === 0) denials.absent(name, scope)
    else {
      for (const [other, own] of denials.others(page)) if (box.is(document(own))) denials.sharedBy(name, scope, other)
      fill(document, box, isChoice(box))
      denials.done(scope)
    }
  }
  const selector = page.actions[action] ?? ''
  const button = document(selector).first()
  const isLink = button.is('a[href]')
  const form = formOf(document, button)
  if (form.length === 0 && !isLink) {
    throw new TargetError([
      `login.pages.${name}.actions.${action}: ${selector || 'nothing'} matches neither a button of a form nor a link`,
    ])
  }
  const what = isLink ? 'link' : 'form'
  // The own address of a page is meant where none is given, whatever its base is.
  const given =
    (isLink ? button.attr('href') : (button.attr('formaction') ?? form.attr('action'))) || response.request.url
  if (!isUrl(given, baseOf(response))) {
    const sentence = `the ${what} of page ${name} leads to ${JSON.stringify(given)}, which is not an address`
    throw new BankFailure({ sentence, evidence: response.evidence })
  }
  const url = new URL(given, baseOf(response))
  const leadsBack = isLink && isCallback(url.href, task)
  if (!leadsBack && !task.origins.includes(url.origin)) {
    throw unexpectedRedirect(url.href, task, `the ${what} of page ${name}`, response.evidence)
  }
  if (isLink) return { method: 'GET', url: url.href, headers: { referer: response.request.url } }
  const charset = charsetOfForm(form, response.charset)
  const fields = fieldsOf(document, form, { charset })
  for (const [field, value] of fieldsOfButton(button)) fields.append(field, value)
  // Written otherwise than in UTF-8 it is not known by its text.
  if (task.person && charset !== 'utf-8')
    for (const written of [
      formText(new URLSearchParams([['', task.person.password]]), charset).slice(1),
      formBytes(task.person.password, charset).toString('latin1'),
    ])
      evidence.secret('password', written)
  const method = (button.attr('formmethod') ?? form.attr('method') ?? 'get').toLowerCase()
  if (method !== 'post') {
    url.search = formText(fields, charset)
    return { method: 'GET', url: url.href }
  }
  return formRequest(url.href, fields, { multipart: isMultipart(form, button), charset }, response)
}

/** A form as a browser posts it from a page. */
async function formRequest(
  url: string,
  fields: URLSearchParams,
  { multipart, charset }: { multipart: boolean; charset: string },
  page: HttpResponse,
): Promise<HttpRequest> {
  const { type, ...body } = await encoded(fields, multipart, charset)
  const { origin } = new URL(page.request.url)
  return { method: 'POST', url, headers: { 'content-type': type, origin, referer: page.request.url }, ...body }
}

/** Whether a control is one of several of which one is chosen: the one that denies a scope is chosen, where a box is unticked. */
function isChoice(control: Selection): boolean {
  return control.is('input[type=radio i], option')
}

function fill(document: CheerioAPI, control: Selection, value: string | boolean): void {
  if (typeof value !== 'boolean') {
    control.val(value)
  } else if (control.is('option')) {
    if (value) control.closest('select').find('option').removeAttr('selected')
    set(control, 'selected', value)
  } else {
    const chosen = value && isChoice(control) ? firstOfGroups(document, control) : control
    if (value && isChoice(control)) othersOfGroup(document, control).removeAttr('checked')
    set(chosen, 'checked', value)
  }
}

function set(control: Selection, attribute: 'checked' | 'selected', value: boolean): void {
  if (value) control.attr(attribute, attribute)
  else control.removeAttr(attribute)
}

/** Of radio buttons the first of each name, since one of a name can be chosen: a selector may match all. */
function firstOfGroups(document: CheerioAPI, controls: Selection): Selection {
  const names = controls.toArray().map((one) => document(one).attr('name'))
  return controls.filter((at) => names.indexOf(names[at]) === at)
}

/** The radio buttons of a form that have the name of one of them: of those, one is chosen (HTML, "radio button group"). */
function othersOfGroup(document: CheerioAPI, control: Selection): Selection {
  const form = formOf(document, control)
  return document('input[type=radio i]').filter((_, other) => {
    const own = document(other)
    return own.attr('name') === control.attr('name') && formOf(document, own).is(form)
  })
}

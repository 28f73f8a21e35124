import { type CheerioAPI, load } from 'cheerio'
import { CookieJar } from 'tough-cookie'
import type { HttpRequest, HttpResponse } from '../bank/http.js'
import type { Page, Person } from '../bank/target.js'
import { BankFailure, TargetError } from '../harness/failure.js'
import type { AuthorizationTask, Callback, EndUser, Send, Visit } from './end-user.js'

/** Requests of one authorization, redirects included, before it is taken for endless. */
const mostRequests = 30

type Selection = ReturnType<CheerioAPI>

/** An end-user who fills in the bank's HTML forms over HTTP, as the `login.pages` of the target file say. */
export function formsEndUser(pages: ReadonlyMap<string, Page>): EndUser {
  return {
    open() {
      const jar = new CookieJar()
      return { visit: (task, send) => visit(pages, task, (request) => browse(request, jar, send)) }
    },
  }
}

async function visit(pages: ReadonlyMap<string, Page>, task: AuthorizationTask, send: Send): Promise<Visit> {
  const passed: string[] = []
  let request: HttpRequest = { method: 'GET', url: task.url }
  for (let count = 0; count < mostRequests; count += 1) {
    const response = await send(request)
    const { location } = response
    if (location === undefined) {
      const found = recognise(pages, response)
      if (!found) return { response, pages: passed, impasse: unrecognised(response) }
      const again = passed.includes(found.name)
      passed.push(found.name)
      const deed = task.deeds?.[found.name] ?? 'submit'
      if (!task.person || deed === 'leave') return { response, pages: passed }
      if (again) return { response, pages: passed, impasse: comesBack(found.name) }
      request = submission({ ...found, deed, response, task, person: task.person })
    } else if (task.redirectUris.some((uri) => isWayBack(location, uri))) {
      return { response, pages: passed, callback: asCallback(response, location, passed) }
    } else {
      request = redirected(request, response, location, task)
    }
  }
  throw new BankFailure({ sentence: `the bank did not send the browser back within ${mostRequests} requests` })
}

/** Whether an address is the redirect URI with parameters added to it. A query that was registered is kept (RFC 6749 section 3.1.2). */
function isWayBack(location: string, redirectUri: string): boolean {
  const [at, expected] = [new URL(location), new URL(redirectUri)]
  const kept = [...expected.searchParams].every(([name, value]) => at.searchParams.getAll(name).includes(value))
  return at.origin === expected.origin && at.pathname === expected.pathname && kept
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

function asCallback(response: HttpResponse, location: string, pages: readonly string[]): Callback {
  const { search, hash } = new URL(location)
  return { response, query: new URLSearchParams(search), fragment: new URLSearchParams(hash.slice(1)), pages }
}

function redirected(from: HttpRequest, response: HttpResponse, location: string, task: AuthorizationTask): HttpRequest {
  if (!task.origins.includes(new URL(location).origin)) {
    throw new BankFailure({
      sentence: `the bank sends the browser to ${location}, which is neither its own address nor the registered redirect URI`,
      expected: `a redirect to ${task.redirectUris.join(' or ')}`,
      actual: location,
      where: `the redirect of ${response.request.method} ${response.request.url}`,
      evidence: response.evidence,
    })
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
  const document = load(response.text)
  for (const [name, page] of pages) if (document(page.when).length > 0) return { name, page, document }
  return undefined
}

/** A page that cannot be gone on from: an error page is the bank's doing, any other one lacks in the target file. */
function unrecognised(response: HttpResponse): BankFailure | TargetError {
  const { method, url } = response.request
  const what = `${method} ${new URL(url).pathname} shows ${described(load(response.text), response)}`
  if (response.status < 400) return new TargetError([`login.pages: no entry recognises the page that ${what}`])
  return new BankFailure({ sentence: `instead of a redirect ${what}`, evidence: response.evidence })
}

/** A page in words: its title, forms and buttons, from which an entry of login.pages can be written. */
function described(document: CheerioAPI, response: HttpResponse): string {
  if (!response.mediaType.includes('html'))
    return `no page but ${response.mediaType || 'nothing'}, status ${response.status}`
  const title = document('title').first().text().trim()
  const forms = document('form').map((_, form) => {
    const fields = document(form).find('input[name], select[name], textarea[name]')
    return `form${named(document(form))} with ${listed(fields.map((_, field) => document(field).attr('name') ?? '').get())}`
  })
  const buttons = document('button, input[type=submit]').map((_, button) => {
    const text = document(button).text().trim() || document(button).attr('value')
    return `${JSON.stringify(text ?? '')}${named(document(button))}`
  })
  return `a page titled ${JSON.stringify(title)}, forms: ${listed(forms.get())}, buttons: ${listed(buttons.get())}, status ${response.status}`
}

function named(element: Selection): string {
  const attributes = ['id', 'name', 'value'] as const
  return attributes
    .flatMap((name) => {
      const value = element.attr(name)
      return value ? [name === 'id' ? `#${value}` : `[${name}=${JSON.stringify(value)}]`] : []
    })
    .join('')
}

function listed(things: string[]): string {
  return things.length > 0 ? things.join(', ') : 'none'
}

function comesBack(name: string): TargetError {
  return new TargetError([
    `login.pages.${name}: the page came back after it was submitted; are the person's login and password right, and does \`when\` match on one page alone?`,
  ])
}

interface Filling extends Recognised {
  deed: string
  response: HttpResponse
  task: AuthorizationTask
  person: Person
}

/** What the browser sends when the page is filled in and its button pressed (HTML, "form submission algorithm"). */
function submission({ name, page, document, deed, response, task, person }: Filling): HttpRequest {
  for (const [selector, value] of Object.entries(page.fill)) {
    const control = document(selector)
    if (control.length === 0)
      throw new TargetError([`login.pages.${name}.fill: nothing on the page matches ${selector}`])
    fill(control, value, person)
  }
  for (const scope of page.scope === undefined ? [] : (task.untick ?? [])) {
    const box = document(page.scope?.replaceAll('{scope}', scope))
    if (box.length === 0) throw new TargetError([`login.pages.${name}.scope: no box of scope ${scope} is on the page`])
    fill(box, false, person)
  }
  const selector = page.actions[deed] ?? ''
  const button = document(selector).first()
  const form = button.attr('form') ? document(`[id=${JSON.stringify(button.attr('form'))}]`) : button.closest('form')
  if (form.length === 0) {
    throw new TargetError([`login.pages.${name}.actions.${deed}: ${selector || 'nothing'} matches no button of a form`])
  }
  const target = button.attr('formaction') ?? form.attr('action') ?? ''
  const url = new URL(target, response.request.url)
  if (!task.origins.includes(url.origin)) {
    throw new BankFailure({
      sentence: `the form of page ${name} leads to ${url.origin}, which is not the bank's address`,
      actual: url.href,
      evidence: response.evidence,
    })
  }
  const fields = new URLSearchParams(form.serializeArray().map((field): [string, string] => [field.name, field.value]))
  const buttonName = button.attr('name')
  if (buttonName) fields.append(buttonName, button.attr('value') ?? '')
  const method = (button.attr('formmethod') ?? form.attr('method') ?? 'get').toLowerCase()
  if (method !== 'post') {
    url.search = fields.toString()
    return { method: 'GET', url: url.href }
  }
  return {
    method: 'POST',
    url: url.href,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(response.request.url).origin,
      referer: response.request.url,
    },
    body: fields.toString(),
  }
}

function fill(control: Selection, value: string | boolean, { login, password }: Person): void {
  if (typeof value === 'boolean') {
    if (value) control.attr('checked', 'checked')
    else control.removeAttr('checked')
    return
  }
  control.val(value.replaceAll('{login}', () => login).replaceAll('{password}', () => password))
}

import { type CheerioAPI, load } from 'cheerio'
import { CookieJar } from 'tough-cookie'
import type { HttpRequest, HttpResponse } from '../bank/http.js'
import type { Page, Person } from '../bank/target.js'
import { BankFailure, TargetError } from '../harness/failure.js'
import type { AuthorizationTask, Callback, EndUser } from './end-user.js'

/** Requests of one authorization, redirects included, before it is taken for endless. */
const mostRequests = 30

type Send = (request: HttpRequest) => Promise<HttpResponse>
type Selection = ReturnType<CheerioAPI>

/** An end-user who fills in the bank's HTML forms over HTTP, as the `login.pages` of the target file say. */
export function formsEndUser(pages: ReadonlyMap<string, Page>): EndUser {
  return {
    async authorize(task, send) {
      const jar = new CookieJar()
      const passed: string[] = []
      let request: HttpRequest = { method: 'GET', url: task.url }
      for (let count = 0; count < mostRequests; count += 1) {
        const response = await browse(request, jar, send)
        const { location } = response
        if (location === undefined) {
          const [name, page, document] = recognise(pages, response)
          if (passed.includes(name)) throw comesBack(name)
          passed.push(name)
          request = submission({ name, page, document, response, task })
        } else if (location.replace(/[?#].*$/s, '') === task.redirectUri.replace(/[?#].*$/s, '')) {
          return asCallback(response, location, passed)
        } else {
          request = redirected(request, response, location, task)
        }
      }
      throw new BankFailure({ sentence: `the bank did not send the browser back within ${mostRequests} requests` })
    },
  }
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
      expected: `a redirect to ${task.redirectUri}`,
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

function recognise(pages: ReadonlyMap<string, Page>, response: HttpResponse): [string, Page, CheerioAPI] {
  const document = load(response.text)
  for (const [name, page] of pages) if (document(page.when).length > 0) return [name, page, document]
  const { method, url } = response.request
  const what = `${method} ${new URL(url).pathname} shows ${described(document, response)}`
  if (response.status >= 400) {
    throw new BankFailure({ sentence: `instead of a redirect ${what}`, evidence: response.evidence })
  }
  throw new TargetError([`login.pages: no entry recognises the page that ${what}`])
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

interface Filling {
  name: string
  page: Page
  document: CheerioAPI
  response: HttpResponse
  task: AuthorizationTask
}

/** What the browser sends when the page is filled in and its button pressed (HTML, "form submission algorithm"). */
function submission({ name, page, document, response, task }: Filling): HttpRequest {
  for (const [selector, value] of Object.entries(page.fill)) {
    const control = document(selector)
    if (control.length === 0)
      throw new TargetError([`login.pages.${name}.fill: nothing on the page matches ${selector}`])
    fill(control, value, task.person)
  }
  const selector = page.actions.submit ?? ''
  const button = document(selector).first()
  const form = button.attr('form') ? document(`[id=${JSON.stringify(button.attr('form'))}]`) : button.closest('form')
  if (form.length === 0) {
    throw new TargetError([`login.pages.${name}.actions.submit: ${selector} matches no button of a form`])
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

import { load } from 'cheerio'
import { CookieJar } from 'tough-cookie'
import { Agent, request } from 'undici'
import type { Page } from '../../conformance/target/login-settings.js'
import type { Person } from '../../conformance/target/target.js'

/** A person's one tab: opens an address and goes on, page by page, until it is told that the run is over. Counts what it cost. */
export class Hand {
  /** How often each page of the bank was gone through, by its name. */
  readonly passed = new Map<string, number>()
  /** The bank's pages between one coming back and the next. */
  readonly steps: string[][] = []
  /** What the tab showed that nobody knew how to go on from. */
  readonly lost: string[] = []
  private pagesSoFar: string[] = []
  private readonly jar = new CookieJar()
  private readonly agent: Agent

  constructor(
    private readonly pages: ReadonlyMap<string, Page>,
    private readonly person: Person,
    ca: string | undefined,
  ) {
    this.agent = new Agent({ connect: { ca } })
  }

  /** @returns when the run is over, or the tab got lost */
  async open(address: string): Promise<void> {
    let next: { url: string; body?: string } | undefined = { url: address }
    while (next) next = await this.go(next)
    await this.agent.close()
  }

  private async go({ url, body }: { url: string; body?: string }): Promise<{ url: string; body?: string } | undefined> {
    const cookie = await this.jar.getCookieString(url)
    const answer = await request(url, {
      dispatcher: this.agent,
      method: body === undefined ? 'GET' : 'POST',
      body: body ?? null,
      headers: {
        accept: 'text/html',
        cookie,
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin }),
      },
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat())
      await this.jar.setCookie(set, url, { ignoreError: true })
    const text = await answer.body.text()
    const { location } = answer.headers
    if (typeof location === 'string' && location.includes('/end-user/')) {
      this.steps.push(this.pagesSoFar)
      this.pagesSoFar = []
    }
    if (typeof location === 'string') return { url: inherited(new URL(location, url), url) }
    return this.look(url, text)
  }

  private look(url: string, text: string): { url: string; body?: string } | undefined {
    const document = load(text)
    if (document('title').text() === 'The run is over') return undefined
    if (document('meta[http-equiv=refresh]').length > 0) return { url }
    const { search, hash, pathname, origin } = new URL(url)
    if (document('script').text().includes('location.hash'))
      return {
        url: `${origin}${pathname}${search ? `${search}&` : '?'}fragment=${encodeURIComponent(hash.slice(1))}`,
      }
    for (const [name, page] of this.pages) {
      if (document(page.when).length === 0) continue
      this.pagesSoFar.push(name)
      this.passed.set(name, (this.passed.get(name) ?? 0) + 1)
      for (const [selector, value] of Object.entries(page.fill))
        document(selector).val(
          String(value).replace('{login}', this.person.login).replace('{password}', this.person.password),
        )
      const button = document(page.actions.submit).first()
      const form = button.closest('form')
      const fields = form.serializeArray().map((field): [string, string] => [field.name, field.value])
      const pressed: [string, string][] = button.attr('name')
        ? [[String(button.attr('name')), button.attr('value') ?? '']]
        : []
      return {
        url: new URL(form.attr('action') ?? '', url).href,
        body: new URLSearchParams([...fields, ...pressed]).toString(),
      }
    }
    this.lost.push(`${url}: ${document('body').text().trim().slice(0, 200)}`)
    return undefined
  }
}

/** A fragment stays with the address that is redirected to, unless that has its own (RFC 9110 section 10.2.2). */
function inherited(location: URL, from: string): string {
  if (location.hash === '') location.hash = new URL(from).hash
  return location.href
}

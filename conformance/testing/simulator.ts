import { Agent, request } from 'undici'
import { callbackOf } from '../end-user/end-user.js'
import { formsEndUser } from '../end-user/forms.js'
import { EvidenceLog } from '../evidence/evidence.js'
import { Masking } from '../evidence/masking.js'
import { createHttpClient } from '../http/http.js'
import { type Simulator, type SimulatorOptions, startSimulator } from '../simulator/simulator.js'
import { personOf, type Target } from '../target/target.js'

/** A bank, as far as the service and a browser need to know it. */
interface TestBank {
  target: Target
}

export interface Answer {
  status: number
  text: string
  json: unknown
  headers: Record<string, string | string[] | undefined>
}

/** The service simulator of a test, and a person with a browser in front of it. */
export class TestSimulator {
  private closing?: Promise<void>

  private constructor(
    readonly simulator: Simulator,
    readonly banks: readonly TestBank[],
    private readonly agent: Agent,
    /** What was told, in order. */
    readonly lines: string[],
  ) {}

  static async start(banks: readonly TestBank[], options: Partial<SimulatorOptions> = {}): Promise<TestSimulator> {
    const lines: string[] = []
    const simulator = await startSimulator({
      targets: banks.map(({ target }, index) => ({ idpId: `idp-${index + 1}`, ...target })),
      onEvent: (line) => lines.push(line),
      ...options,
    })
    const agent = new Agent({ connect: { ca: banks[0]?.target.ca } })
    return new TestSimulator(simulator, banks, agent, lines)
  }

  async send(
    method: 'GET' | 'POST',
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const url = path.startsWith('/') ? `${this.simulator.url}${path}` : path
    const answer = await request(url, { method, headers, body: body ?? null, dispatcher: this.agent })
    const text = await answer.body.text()
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    return { status: answer.statusCode, text, json, headers: answer.headers }
  }

  form(path: string, fields: Record<string, string> | [string, string][], headers: Record<string, string> = {}) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.send('POST', path, new URLSearchParams(fields).toString(), { ...type, ...headers })
  }

  /** A whole login by the service's page, as jana; gives the page that it ends with, or begins with when it goes no further. */
  async login(fields: Record<string, string> | [string, string][] = {}, bank = this.banks[0]): Promise<Answer> {
    if (!bank) throw new Error('there is no bank')
    const begun = await this.form('/login', [['bank', bank.target.issuer], ...new URLSearchParams(fields)])
    return this.pass(begun, bank)
  }

  /** Something that jana authorizes by the service's page; gives the page that it ends with, or begins with when it goes no further. */
  async sign(fields: Record<string, string>, bank = this.banks[0]): Promise<Answer> {
    if (!bank) throw new Error('there is no bank')
    return this.pass(await this.form('/sign', { bank: bank.target.issuer, ...fields }), bank)
  }

  /** Goes to the bank and comes back. */
  private async pass(begun: Answer, bank: TestBank): Promise<Answer> {
    if (begun.status !== 302) return begun
    const http = createHttpClient({ ca: bank.target.ca, timeoutSeconds: 5 })
    const evidence = new EvidenceLog(new Masking()).recorder()
    const { signal } = new AbortController()
    const person = personOf(bank.target.people, 'full')
    if (!person) throw new Error('the bank has no person')
    const { response } = callbackOf(
      await formsEndUser(bank.target)
        .open()
        .visit(
          {
            url: String(begun.headers.location),
            redirectUris: [`${this.simulator.url}/callback`],
            origins: [bank.target.issuer],
            person,
          },
          { send: (message) => http.send(message, { evidence, signal }), evidence, signal },
        ),
    )
    await http.close()
    const [cookie = ''] = String(begun.headers['set-cookie']).split(';')
    return this.send('GET', String(response.location), undefined, { cookie })
  }

  /** Once; closed again, it stays closed. */
  close(): Promise<void> {
    this.closing ??= this.agent.close().then(() => this.simulator.close())
    return this.closing
  }
}

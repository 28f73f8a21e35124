import { createInterface } from 'node:readline/promises'
import { UsageError } from '../output.js'
import type { Driver } from '../target/login-settings.js'

/** What has to be known to set up a bank's examination. */
export interface Answers {
  /** The bank's address. */
  issuer: string
  /** PEM file of the authorities that sign the bank's TLS certificate; '' for those the system trusts. */
  ca: string
  /** The service's address as the bank sees it. */
  url: string
  /** host:port to listen on. */
  listen: string
  /** Whether an authority is made here, or the bank's authority signs a request. */
  authority: 'own' | 'bank'
  /** How people log in. */
  login: Driver
  /** The login of the test person who has everything; '' where it is filled in later. */
  person: string
}

interface Question {
  flag: string
  asks: string
  /** Taken when nothing is answered; some follow from what was answered before. */
  otherwise?: string | ((before: Readonly<Record<string, string>>) => string)
  choices?: readonly string[]
  /** What is wrong with an answer; undefined when nothing is. */
  problem?(answer: string): string | undefined
}

/** In the order they are asked; the flags are the command's. */
export const questions: { readonly [Name in keyof Answers]: Question } = {
  issuer: {
    flag: '--issuer',
    asks: "The bank's address, as its discovery document calls it",
    problem: (answer) =>
      /^https:\/\/[^/?#]+(\/[^?#]*)?$/.test(answer)
        ? undefined
        : 'give an https address without query, such as https://bank.example',
  },
  ca: {
    flag: '--ca',
    asks: "PEM file of the authority of the bank's TLS certificate (empty: the authorities that this system trusts)",
    otherwise: '',
  },
  url: {
    flag: '--url',
    asks: 'The address at which the bank reaches this machine; {port} stands for the listening port',
    otherwise: 'https://localhost:{port}',
    problem: (answer) =>
      /^https:\/\/[^/?#]+(\/[^?#]*[^/?#])?$/.test(answer)
        ? undefined
        : 'give an https address without trailing slash, such as https://harness.example:9443',
  },
  listen: {
    flag: '--listen',
    asks: 'host:port to listen on for the bank; port 0 takes any free one',
    otherwise: ({ url = '' }) => listeningFor(url),
    problem: (answer) =>
      /^(\[[0-9A-Fa-f:]+\]|[^:\s]+):\d{1,5}$/.test(answer) ? undefined : 'give host:port, such as 0.0.0.0:9443',
  },
  authority: {
    flag: '--authority',
    asks: "Who signs the service's certificate: own (an authority made here, which the bank has to trust) or bank (the bank's authority, by a certificate request)",
    otherwise: 'own',
    choices: ['own', 'bank'],
  },
  login: {
    flag: '--login',
    asks: 'How people log in: forms (HTML forms over HTTP), browser (a real browser) or person (by hand)',
    otherwise: 'forms',
    choices: ['forms', 'browser', 'person'],
  },
  person: {
    flag: '--person',
    asks: 'Login of a test person who has everything that the bank offers (empty: to be filled in later)',
    otherwise: '',
  },
}

/** Asks one line of whoever sits at the terminal. */
export type Ask = (question: string) => Promise<string>

/** Where lines are asked for. */
export interface Terminal {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
}

/** The terminal of this process, to ask at; undefined when there is none. */
export function processTerminal(): Terminal | undefined {
  const { stdin, stdout } = process
  return stdin.isTTY && stdout.isTTY ? { input: stdin, output: stdout } : undefined
}

/**
 * Asks at a terminal.
 * @returns ask, which throws UsageError when the question is left with Ctrl+C or Ctrl+D
 */
export function askAt({ input, output }: Terminal, signal: AbortSignal): { ask: Ask; close(): void } {
  const lines = createInterface({ input, output, terminal: true })
  // The terminal hands Ctrl+C on as a key; without a listener it closes the lines, as Ctrl+D does.
  const left = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new UsageError('cancelled: nothing was written')))
  })
  left.catch(() => {})
  return {
    async ask(question) {
      const answer = lines.question(question, { signal })
      // Some releases of Node fail the answer too when the lines are closed, others leave it open.
      answer.catch(() => {})
      try {
        return await Promise.race([left, answer])
      } catch (error) {
        output.write('\n')
        throw error
      }
    },
    close: () => lines.close(),
  }
}

/**
 * The answers, from the flags that were given and, for the others, by asking.
 * @param ask undefined without a terminal: what has a default takes it
 * @throws UsageError naming the flag that lacks, or whose value is wrong
 */
export async function answersFrom(given: Partial<Answers>, ask: Ask | undefined): Promise<Answers> {
  const answers: Record<string, string> = {}
  for (const [name, question] of Object.entries(questions)) {
    const flagged = given[name as keyof Answers]
    const otherwise = typeof question.otherwise === 'function' ? question.otherwise(answers) : question.otherwise
    const answer = flagged ?? (ask ? await askUntilGood(question, otherwise, ask) : otherwise)
    if (answer === undefined) throw new UsageError(`${question.flag} is missing: ${question.asks}`)
    const problem = problemOf(question, answer)
    if (problem) throw new UsageError(`${question.flag} ${JSON.stringify(answer)}: ${problem}`)
    answers[name] = answer
  }
  return answers as unknown as Answers
}

function problemOf({ choices, problem }: Question, answer: string): string | undefined {
  if (choices && !choices.includes(answer)) return `give one of ${choices.join(', ')}`
  return problem?.(answer)
}

/**
 * Where to listen for who calls an address: at its port, for other machines too where it is not this machine's own name. An address without a
 * port leads here by way of something else.
 */
function listeningFor(url: string): string {
  const [, host = '', port = '0'] = /^https:\/\/(\[[^\]]*\]|[^:/]*)(?::(\d+))?/.exec(url) ?? []
  if (port === '0') return '127.0.0.1:0'
  return `${ownNames.includes(host) ? '127.0.0.1' : '0.0.0.0'}:${port}`
}

/** By which a machine calls itself. */
const ownNames = ['localhost', '127.0.0.1']

async function askUntilGood(question: Question, otherwise: string | undefined, ask: Ask): Promise<string> {
  const { asks } = question
  for (let problem = ''; ; ) {
    const hint = otherwise ? ` [${otherwise}]` : ''
    const answer = (await ask(`${problem}${asks}${hint}: `)).trim() || (otherwise ?? '')
    const wrong = problemOf(question, answer)
    if (wrong === undefined) return answer
    problem = `This answer is not valid: ${wrong}.\n`
  }
}

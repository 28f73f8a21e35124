import { isObject } from '../bank/claims.js'
import type { AnswerPlace, Run, Service } from '../bank/conversation.js'
import { PlacedRequestObjects } from '../bank/placed-request-objects.js'
import { RegistrationLedger } from '../bank/registration-ledger.js'
import { SeenAnswers } from '../bank/seen-answers.js'
import { SeenTokens } from '../bank/seen-tokens.js'
import { HttpResponse } from '../http/http.js'
import type { Post } from '../service/post-box.js'

/** An answer of the bank, and where in the run it came. */
export interface KeptAnswer {
  place: AnswerPlace
  response: HttpResponse
}

/** What becomes of the kept answers when they are judged once more. */
export type Alteration = (answer: KeptAnswer) => HttpResponse | Promise<HttpResponse>

/**
 * Keeps what the bank answered in a run, so that its rules can judge the same answers once more, as they came or altered, without a bank:
 * names, keys and times of a run are the same then.
 */
export class Replay {
  readonly #asked = new Map<string, { at: number; answer: Promise<HttpResponse> }>()
  /** The bank's time, in Unix seconds, at the first request of each conversation. */
  readonly #began = new Map<string, number>()
  /** By the id of the exchange. */
  readonly answers = new Map<string, KeptAnswer>()
  /** What the bank posted, as answers are: the fields of the form are members. */
  readonly #posts = new Map<Post, KeptAnswer>()

  /** Has a request sent, and keeps what comes of it. */
  readonly ask: NonNullable<Run['ask']> = (place, at, send) => {
    const answer = send().then((response) => {
      this.answers.set(response.evidence, { place, response })
      return response
    })
    this.#asked.set(keyOf(place), { at, answer })
    const conversation = nameOf(place)
    if (!this.#began.has(conversation)) this.#began.set(conversation, at)
    return answer
  }

  /** Keeps a post that somebody judges. */
  readonly heard: NonNullable<Run['heard']> = (post, evidence) => {
    this.answers.set(evidence, this.keptPost(post))
  }

  private keptPost(post: Post): KeptAnswer {
    const kept = this.#posts.get(post) ?? asAnswer(post, this.#posts.size)
    this.#posts.set(post, kept)
    return kept
  }

  /**
   * A run in which every request is answered as it was in this one, for the last conversation of each title, and in which it is as late
   * as it was when the last of them was sent.
   * @param title of the conversation that is had again
   * @param anew whether what rules have in common is done once more too, and not taken as it came out
   */
  async runOf(run: Run, title: string, { alter, anew }: { alter: Alteration; anew: boolean }): Promise<Run> {
    const before = (run.begun.get(title) ?? 1) - 1
    let now = this.#began.get(nameOf({ conversation: title, before })) ?? run.service.clock()
    const posts = await this.postsOf(run.service.server?.posts ?? [], alter)
    return {
      ...run,
      heard: () => {},
      shared: anew ? new Map() : new Map(run.shared),
      begun: new Map([...run.begun].map(([title, times]) => [title, times - 1])),
      registrations: new RegistrationLedger(),
      accessTokens: [],
      seen: new SeenAnswers(),
      seenTokens: new SeenTokens(),
      requestObjects: new PlacedRequestObjects(),
      service: { ...withoutTime(run.service, posts), clock: () => now },
      ask: async (place) => {
        const asked = this.#asked.get(keyOf(place))
        if (!asked) throw new Error(`nothing was asked before at ${keyOf(place)}`)
        now = asked.at
        return alter({ place, response: await asked.answer })
      },
    }
  }

  /** What was posted, altered; what is altered to be refused did not come. */
  private async postsOf(posts: readonly Post[], alter: Alteration): Promise<Post[]> {
    const altered = posts.map(async (post) => {
      const kept = this.keptPost(post)
      const response = await alter(kept)
      return response === kept.response ? post : asPost(post, response)
    })
    return (await Promise.all(altered)).filter(({ status }) => status < 400 || status === 503)
  }
}

/** The conversation that what the bank posted is taken for. */
const posted = 'what the bank posted'

export function isPost({ conversation }: Pick<AnswerPlace, 'conversation'>): boolean {
  return conversation === posted
}

function asAnswer({ url, headers, body }: Post, index: number): KeptAnswer {
  const form = JSON.stringify(Object.fromEntries(new URLSearchParams(body)))
  const response = new HttpResponse({ method: 'POST', url }, 200, headers, form, `post ${index}`)
  return { place: { conversation: posted, before: 0, index }, response }
}

function asPost({ url, status }: Post, { status: altered, headers, json, text }: HttpResponse): Post {
  const body = isObject(json) ? new URLSearchParams(json as Record<string, string>).toString() : text
  return { url, headers: headers as Post['headers'], body, status: altered === 200 ? status : altered }
}

/** The time that passed is in the answers, and whatever a bank was to post has come. */
function withoutTime(service: Service, posts: readonly Post[]): Service {
  const { server, pass } = service
  return {
    ...service,
    wait: async () => {},
    ...(pass && { pass: async () => {} }),
    ...(server && { server: { ...server, posts, posted: async (matches) => posts.find(matches) } }),
  }
}

function nameOf({ conversation, before }: Pick<AnswerPlace, 'conversation' | 'before'>): string {
  return `${conversation} ${before}`
}

function keyOf({ conversation, before, variation = '', index }: AnswerPlace): string {
  return `${conversation} ${before} ${index} ${variation}`
}

import type { Conversation } from './conversation.js'
import { inStep, type Step } from './steps.js'

/** Puts other steps in place of those of a good request; those left out stay good. */
export type Replace<Request> = (good: Request) => Partial<Request> | Promise<Partial<Request>>

/** Whether what a request builds on, such as a login, may be one that others look at too. */
export type Basis = 'shared' | 'fresh'

/**
 * A request of several steps, each a member of `Request`, so that one can be replaced and the others stay good. `Options` say which
 * good request is meant, and are optional throughout: what is left out is chosen.
 */
export interface Attempt<Options extends object, Request extends object, Answer> {
  /** A good request, its steps fresh. */
  prepare(conversation: Conversation, options?: Options): Promise<Request>
  send(conversation: Conversation, request: Request): Promise<Answer>
  /** Sends a good request, or one with steps replaced, whatever comes of it. */
  try(conversation: Conversation, options?: Options, replace?: Replace<Request>): Promise<Answer>
  /** Sees to it that the bank takes the good request, once in a run. @throws StepFailure when it does not */
  expectBaseline(conversation: Conversation, options?: Options): Promise<void>
  /**
   * Sends the good request with steps replaced, after the good one was seen to succeed in this run: what the bank then objects to can
   * be nothing but the replaced step.
   */
  modified(conversation: Conversation, options: Options, replace: Replace<Request>): Promise<Answer>
  /** Prepares the good request once, to send it several times with steps replaced, after it was seen to succeed in this run. */
  variations(conversation: Conversation, options?: Options): Promise<(replace?: Replace<Request>) => Promise<Answer>>
}

/** An attempt and what comes of it: called as it is, done once in a run for the same options, to look at. */
export interface Operation<Options extends object, Request extends object, Answer, Outcome>
  extends Attempt<Options, Request, Answer> {
  /** @throws StepFailure when the bank does not do its part */
  (conversation: Conversation, options?: Options): Promise<Outcome>
  /** The same of one's own: to be changed or used up. */
  fresh(conversation: Conversation, options?: Options): Promise<Outcome>
}

interface AttemptDefinition<Options, Request, Answer> {
  prepare(conversation: Conversation, options: Options, basis: Basis): Promise<Request>
  send(conversation: Conversation, request: Request): Promise<Answer>
  /** Shows, once in a run, that the bank takes the good request. */
  baseline(conversation: Conversation, options: Options): Promise<unknown>
}

interface OperationDefinition<Options, Request, Answer, Outcome>
  extends Omit<AttemptDefinition<Options, Request, Answer>, 'baseline'> {
  /** The shared step that a failure to send or to read is charged to; left out where these name their steps themselves. */
  step?: Step
  /** Names what is done once in a run, by its parameters. */
  key(conversation: Conversation, options: Options): string | Promise<string>
  /** What comes of an answer. @throws BankFailure when it is not what the bank has to give */
  read(conversation: Conversation, answer: Answer, request: Request): Outcome | Promise<Outcome>
  /** Shows that the bank takes the good request, where the outcome for the same options is not what shows it. */
  baseline?(conversation: Conversation, options: Options): Promise<unknown>
  /** Whether the baseline is seen before anything is tried: what goes wrong is then the asking rule's own. */
  baselineFirst?: boolean
}

/** An attempt: an operation without an outcome that others could use. */
export function attempt<Options extends object, Request extends object, Answer>({
  prepare,
  send,
  baseline,
}: AttemptDefinition<Options, Request, Answer>): Attempt<Options, Request, Answer> {
  const none = {} as Options
  const prepared = (conversation: Conversation, options = none) => prepare(conversation, options, 'fresh')
  const replaced = async (conversation: Conversation, good: Request, replace?: Replace<Request>) => {
    const replacement = await replace?.(good)
    if (replacement) conversation.evidence.changed(Object.keys(replacement))
    return send(conversation, { ...good, ...replacement })
  }
  return {
    prepare: prepared,
    send,
    try: async (conversation, options, replace) =>
      replaced(conversation, await prepared(conversation, options), replace),
    async expectBaseline(conversation, options = none) {
      await baseline(conversation, options)
    },
    async modified(conversation, options, replace) {
      await baseline(conversation, options)
      return replaced(conversation, await prepared(conversation, options), replace)
    },
    async variations(conversation, options = none) {
      await baseline(conversation, options)
      const good = await prepared(conversation, options)
      return (replace) => replaced(conversation, good, replace)
    },
  }
}

/** Derives every form of an operation. */
export function operation<Options extends object, Request extends object, Answer, Outcome>(
  definition: OperationDefinition<Options, Request, Answer, Outcome>,
): Operation<Options, Request, Answer, Outcome> {
  const { step, key, prepare, send, read, baselineFirst = false } = definition
  const none = {} as Options
  async function perform(conversation: Conversation, options: Options, basis: Basis): Promise<Outcome> {
    const request = await prepare(conversation, options, basis)
    const work = async () => read(conversation, await send(conversation, request), request)
    return step === undefined ? work() : inStep(step, work)
  }
  const once = async (conversation: Conversation, options = none) =>
    conversation.shared(await key(conversation, options), (own) => perform(own, options, 'shared'))
  const { baseline = once } = definition
  const forms = attempt({ prepare, send, baseline })
  return Object.assign(once, {
    ...forms,
    fresh: (conversation: Conversation, options = none) => perform(conversation, options, 'fresh'),
    ...(baselineFirst && {
      async try(conversation: Conversation, options?: Options, replace?: Replace<Request>) {
        await baseline(conversation, none)
        return forms.try(conversation, options, replace)
      },
    }),
  })
}

import type { Request } from 'express'
import type { BankContext } from '../context.js'
import { type CodeProblem, confirmDevicePage, deviceDonePage, enterCodePage } from '../pages/device.js'
import { languageFor } from '../pages/language.js'
import { pollIntervalSeconds } from '../store/throttles.js'
import type { Configuration, KoaContextWithOIDC, Provider } from './library.js'
import { formSecret } from './patches.js'

/** The paths of the grant: where a client asks for codes, and where the person enters one. */
export const devicePaths = { authorization: '/device_authorization', verification: '/device' } as const

/** What the endpoint and the library's page tell each other of one request. */
export interface CodeLocals {
  /** A code that came with the address. */
  userCode?: string
  /** The code that was entered, as it is compared. */
  entered?: string
  /** Whether the code that was entered is none. */
  wrongCode?: boolean
}

const namesOfWrong = ['NoCodeError', 'NotFoundError', 'ExpiredError', 'AlreadyUsedError']

function problemOf(error: Error | undefined): CodeProblem | undefined {
  if (!error) return undefined
  if (error.name === 'AbortedError') return 'stopped'
  return namesOfWrong.includes(error.name) ? 'wrong' : 'failed'
}

/** The device authorization grant (RFC 8628), which discovery's device_authorization_endpoint belongs to (AMB-34). */
export function deviceFlow({
  config,
  policy,
}: Pick<BankContext, 'config' | 'policy'>): NonNullable<Configuration['features']>['deviceFlow'] {
  const action = `${new URL(config.issuer).pathname.replace(/\/$/, '')}${devicePaths.verification}`
  const place = (ctx: KoaContextWithOIDC) => {
    const req = ctx.req as unknown as Request
    return { language: languageFor(undefined, req), action, secret: formSecret(ctx) }
  }
  return {
    enabled: policy.deviceAuthorization !== 'undeclared',
    // 20 letters without vowels, eight of them: 34 bits, by RFC 8628 section 6.1.
    charset: 'base-20',
    mask: '****-****',
    userCodeInputSource(ctx, _form, _out, error) {
      const { locals } = ctx.res as unknown as { locals: CodeLocals }
      const problem = problemOf(error)
      locals.wrongCode = problem === 'wrong'
      ctx.body = enterCodePage({ ...place(ctx), ...(problem ? { problem } : { userCode: locals.userCode }) })
    },
    userCodeConfirmSource(ctx, _form, client, _device, userCode) {
      ctx.body = confirmDevicePage({ ...place(ctx), clientName: client.clientName ?? client.clientId, userCode })
    },
    successSource(ctx) {
      ctx.body = deviceDonePage({ language: place(ctx).language })
    },
  }
}

/** Completes what a client gets (RFC 8628 section 3.2): addresses of the bank as it is configured, and how long to wait. */
export function deviceAnswer({ config: { issuer } }: Pick<BankContext, 'config'>): Parameters<Provider['use']>[0] {
  return async (ctx, next) => {
    await next()
    if (ctx.path !== devicePaths.authorization || ctx.status !== 200) return
    const answer = ctx.body as { user_code: string }
    const verification_uri = `${issuer}${devicePaths.verification}`
    const verification_uri_complete = `${verification_uri}?${new URLSearchParams({ user_code: answer.user_code })}`
    ctx.body = { ...answer, verification_uri, verification_uri_complete, interval: pollIntervalSeconds }
  }
}

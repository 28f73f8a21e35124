import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { TargetError } from '../target/target-error.js'
import type { VerifyingProxy } from './verifying-proxy.js'

/** Names of Chromium and Chrome on the path, in the order they are looked for. */
const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'chrome.exe']

/** Where installers put them outside the path. */
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** An installed Chromium or Chrome; undefined when there is none. */
export function findChromium(path = process.env.PATH ?? ''): string | undefined {
  const onPath = path.split(delimiter).flatMap((folder) => commands.map((command) => join(folder, command)))
  return [...onPath, ...places].find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** What Chromium says where the system gives it no sandbox: no namespaces for who is not root, in a container mostly. */
const sandboxTrouble = /sandbox/i

/**
 * Starts a browser without a window, in its sandbox: pages of a foreign bank run in it.
 * @param proxy all that it reaches, addresses of this machine included
 * @param path of Chromium or Chrome; the one that is installed when left out
 * @param say is told where it has to do without the sandbox
 * @throws TargetError when there is none, or it does not start
 */
export async function startChromium(
  proxy: Pick<VerifyingProxy, 'server' | 'key'>,
  path: string | undefined,
  say: (text: string) => void = () => {},
): Promise<Browser> {
  const executablePath = path ?? findChromium()
  if (executablePath === undefined)
    throw new TargetError(['login.browser: no Chromium or Chrome is installed here; install one, or name its path'])
  if (!isExecutable(executablePath))
    throw new TargetError([`login.browser: the program ${executablePath} does not exist`])
  // It costs a fifth of a second to load: only when a browser is to be driven.
  const { chromium } = await import('playwright-core')
  const args = [
    `--ignore-certificate-errors-spki-list=${proxy.key}`,
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  ]
  const launch = (chromiumSandbox: boolean) =>
    chromium.launch({
      executablePath,
      chromiumSandbox,
      args,
      proxy: { server: proxy.server, bypass: '<-loopback>' },
      // Whoever started the browser closes it, once what is done in it has ended.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
  const withoutSandbox = (why: string) => {
    say(
      `${executablePath} runs without its sandbox (${why}): what a page of the bank breaks out of, it breaks into this account`,
    )
    return launch(false)
  }
  const started =
    process.getuid?.() === 0
      ? withoutSandbox('there is none for root')
      : launch(true).catch((error: Error) => {
          if (!sandboxTrouble.test(error.message)) throw error
          return withoutSandbox('this system gives it none')
        })
  return started.catch((error: Error) => {
    const [first = ''] = error.message.split('\n')
    throw new TargetError([`login.browser: ${executablePath} does not start (${first})`])
  })
}

import type { Language } from './language.js'
import { page } from './layout.js'
import { texts } from './texts.js'

/** What is wrong with a code, as the person is told. */
export type CodeProblem = keyof (typeof texts)[Language]['device']['problems']

interface DevicePage {
  language: Language
  action: string
  /** Shows that the form comes from this page. */
  secret: string
}

/** Asks for the code that the device shows. @param userCode one that came with the address */
export function enterCodePage({
  language,
  action,
  secret,
  problem,
  userCode,
}: DevicePage & { problem?: CodeProblem; userCode?: string | undefined }): string {
  const { title, heading, code, submit, problems } = texts[language].device
  return page(
    title,
    <>
      <h1>{heading}</h1>
      {problem && (
        <p class="alert" role="alert" id="problem">
          {problems[problem]}
        </p>
      )}
      <form id="device-code" method="post" action={action}>
        <input type="hidden" name="xsrf" value={secret} />
        <label>
          {code}
          <input
            type="text"
            name="user_code"
            value={userCode}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            aria-describedby={problem && 'problem'}
          />
        </label>
        <div class="actions">
          <button class="primary" type="submit">
            {submit}
          </button>
        </div>
      </form>
    </>,
    { language },
  )
}

/** Asks whether the device that shows this code is the person's own (RFC 8628 section 5.4). */
export function confirmDevicePage({
  language,
  action,
  secret,
  clientName,
  userCode,
}: DevicePage & { clientName: string; userCode: string }): string {
  const { title, isIt, own, confirm, abort } = texts[language].device
  return page(
    title,
    <>
      <h1>{isIt(clientName)}</h1>
      <p>
        <strong>{userCode}</strong>
      </p>
      <p>{own}</p>
      <form id="device-confirm" method="post" action={action}>
        <input type="hidden" name="xsrf" value={secret} />
        <input type="hidden" name="user_code" value={userCode} />
        <div class="actions">
          <button class="primary" type="submit" name="confirm" value="yes">
            {confirm}
          </button>
          <button type="submit" name="abort" value="yes">
            {abort}
          </button>
        </div>
      </form>
    </>,
    { language },
  )
}

/** Sends the person back to the device. */
export function deviceDonePage({ language }: { language: Language }): string {
  const { done, goBack } = texts[language].device
  return page(
    done,
    <>
      <h1 id="device-done">{done}</h1>
      <p>{goBack}</p>
    </>,
    { language },
  )
}

import { request } from 'undici'

/** The control door of a bank (docs/control-door.md). */
export interface Control {
  url: string
  token: string
}

/**
 * Asks the control door of a bank.
 *
 * @param asked.body is posted as JSON; it is a GET where there is none
 * @returns the status, and what the answer says in JSON; undefined where that is none
 * @throws what undici does when there is no answer in a minute, or `signal` ends it
 */
export async function askDoor(
  { url, token }: Control,
  path: string,
  { body, signal }: { body?: object; signal?: AbortSignal | undefined } = {},
): Promise<{ status: number; said: unknown }> {
  const answer = await request(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'close',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    // A bank whose time moves by a year does what became due: it makes keys anew.
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  })
  return { status: answer.statusCode, said: parsed(await answer.body.text()) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { UsageError } from '../errors.js'
import { DataDirectory, files } from '../keys/data-directory.js'

/** How long the door may take to answer, in milliseconds. */
const answerTimeoutMs = 5_000

/**
 * Speaks to the control door of the bank that runs on a data directory.
 *
 * @throws {UsageError} when no bank runs there, it does not answer in time, or the door refuses, with its reason
 */
export async function control<Answer>(data: string, path: string, body?: unknown): Promise<Answer> {
  const directory = new DataDirectory(data)
  const address = directory.read(files.control)
  const token = directory.read(files.controlToken)
  const none = `no running bank on ${data} has an open control door: start one with 'bank-idp start --data ${data}', without --public`
  if (!address || !token) throw new UsageError(none)
  const { url } = JSON.parse(address) as { url: string }
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(answerTimeoutMs),
  }).catch((cause: Error) => {
    const late = `the bank that runs on ${data} did not answer at its control door within ${answerTimeoutMs / 1000} s: it is busy, try again`
    throw new UsageError(cause.name === 'TimeoutError' ? late : none, { cause })
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new UsageError((answer as { error_description: string }).error_description)
  return answer as Answer
}

import type { Tools } from '../../harness/rule.js'
import type { HttpRequest, HttpResponse } from '../../http/http.js'

/** A path that no bank has. */
const nowhere = '/conformance-nothing-is-here'

/**
 * Asks at a path below the bank's address, and whether it answers as where nothing is: with 404, or as at a path that it cannot have, since
 * some servers show a page there, or ask who comes, whatever the path.
 */
export async function askWhetherThere(
  { bank }: Pick<Tools, 'bank'>,
  method: HttpRequest['method'],
  path: string,
): Promise<{ response: HttpResponse; there: boolean }> {
  const ask = (one: string) => bank.send({ method, url: `${bank.address}${one}` })
  const response = await ask(path)
  if (response.status === 404) return { response, there: false }
  const isPage = response.mediaType.includes('html')
  if (response.status >= 500 || (response.status < 300 && !isPage)) return { response, there: true }
  const nothing = await ask(nowhere)
  return { response, there: nothing.status !== response.status || nothing.mediaType !== response.mediaType }
}

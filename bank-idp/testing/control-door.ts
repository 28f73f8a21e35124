import type { Bank } from '../bank.js'

/** What the control door answers: a POST when there is a body, else a GET. */
export async function door<Answer = Record<string, unknown>>(
  { control }: Pick<Bank, 'control'>,
  path: string,
  body?: object,
): Promise<{ status: number; body: Answer }> {
  const headers = { authorization: `Bearer ${control?.token}`, 'content-type': 'application/json' }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const answer = await fetch(`${control?.url}${path}`, init)
  return { status: answer.status, body: (await answer.json()) as Answer }
}

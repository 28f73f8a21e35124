import { Conversation } from '../bank/conversation.js'
import { fetchDiscovery } from '../bank/discovery.js'
import { doctor } from '../doctor/doctor.js'
import type { HttpResponse } from '../http/http.js'
import { openRun } from '../open-run.js'
import { type Output, UsageError } from '../output.js'
import type { Target } from '../target/target.js'

/**
 * Looks at a bank of which only the address is known, and gives its discovery document.
 * @param ca PEM
 * @throws UsageError in one line when it cannot be talked to, or has no discovery document there
 */
export async function lookAtBank(
  issuer: string,
  ca: string | undefined,
  { signal, hurry }: Pick<Output, 'signal' | 'hurry'>,
): Promise<HttpResponse> {
  const target: Target = {
    issuer,
    ...(ca !== undefined && { ca }),
    people: [],
    pages: new Map(),
    concurrency: 1,
    timeoutSeconds: 10,
  }
  for (const result of await doctor(target, { signal, hurry }))
    if (result.status === 'bad') throw new UsageError(`${result.said}; likely ${result.cause}: ${result.fix}`)
  const { run, close } = await openRun(target, { seed: 'init', signal, hurry })
  try {
    return await fetchDiscovery(new Conversation(run, 'init', run.signal))
  } finally {
    await close()
  }
}

import { type Metadata, recordFields } from '../../bank/client-metadata.js'
import type { Replace } from '../../bank/operation.js'
import type { OwnClient } from '../../bank/registration.js'
import { type ManagementRequest, replacement } from '../../bank/registration-management.js'
import { format } from '../../harness/expect.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { comparable } from './records.js'
import { answerTo } from './refusals.js'

/** A client on which PUTs are tried that the bank is to refuse. */
export interface PutTrials {
  client: OwnClient
  /** Sends a good PUT but for the steps replaced, which names the client otherwise than its record does. */
  put(replace: Replace<ManagementRequest>): Promise<HttpResponse>
  /** That what was refused had no effect: the client is there, and its record is what it was after the last PUT that was taken. */
  expectKept(): Promise<void>
}

type Needed = Pick<Tools, 'bank' | 'expect' | 'inVariation'>

export async function putTrials({ bank, expect, inVariation }: Needed): Promise<PutTrials> {
  const client = await bank.replaceableClient()
  const read = () => bank.manage('GET', client)
  let before = await read()
  return {
    client,
    async put(replace) {
      const response = await bank.manage('PUT', client, replace)
      if (response.status < 300) before = await read()
      return response
    },
    expectKept: () =>
      inVariation('the record after what was refused', async () => {
        const after = await read()
        expect(after).toHaveStatus(200)
        for (const field of Object.keys(recordFields)) {
          const was = before.member(field)
          expect(after.member(field), `${field} of the record after what was refused`, after).toSatisfy(
            (value) => comparable(field, value) === comparable(field, was),
            `what it was before, ${format(was)}`,
          )
        }
      }),
  }
}

/** How the bank answers the good record with changes, by the method that brings it. */
export interface RecordTrials extends Pick<PutTrials, 'expectKept'> {
  POST(changes: Metadata): Promise<HttpResponse>
  PUT(changes: Metadata): Promise<HttpResponse>
}

export function recordTrials(tools: Needed): RecordTrials {
  // What tries POST alone asks for no PUT.
  let trials: Promise<PutTrials> | undefined
  return {
    POST: (changes) => answerTo(tools.bank, changes),
    async PUT(changes) {
      trials ??= putTrials(tools)
      const { client, put } = await trials
      return put(() => ({ record: replacement(client, changes) }))
    },
    async expectKept() {
      await (await trials)?.expectKept()
    },
  }
}

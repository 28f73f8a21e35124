import { type Metadata, recordFields } from '../../bank/client-metadata.js'
import { rule } from '../../harness/rule.js'
import { toRegister } from '../../target/needs.js'
import { expectEchoed, expectFields } from '../support/records.js'

/** What the default record has is left out where a record does not name it. */
const noFields: Metadata = Object.fromEntries(Object.keys(recordFields).map((field) => [field, undefined]))

/** A name with letters that take more than one byte. */
const name = 'Zkušební klient'

export const seenRecords = rule({
  id: 'registration/record-echoed-throughout',
  requirement: 'REG-2',
  places: ['method=POST use=second-client', 'method=PUT use=second-client'],
  title: 'Each field of every client of the run came back from POST and PUT with its type and value',
  needs: toRegister,
  last: true,
  async check(tools) {
    const { bank } = tools
    await bank.client.fresh({ client_name: name })
    const known = new Set<string>()
    for (const { method, sent, response } of bank.seenRecords()) {
      const replaced = [method, ...expectFields(tools, sent, response)].join(' ')
      if (replaced === method || known.has(replaced)) continue
      known.add(replaced)
      // What that client has now may be something else: whether the values hold is seen at another one.
      const again = await bank.client.fresh({ ...noFields, ...sent })
      await expectEchoed(tools, again, method === 'PUT' ? await bank.manage('PUT', again) : again.response)
    }
  },
})

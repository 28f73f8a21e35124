import { authenticatedBy } from '../../bank/client-metadata.js'
import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { answerTo, expectBadRequest } from '../support/refusals.js'
import { codeIn, expectObjectRefused } from './refusals.js'

/** Changes of the record of a client that is not confidential (RFC 6749 section 2.1). */
const withoutCredentials = authenticatedBy('none')

export const openClients = rule({
  id: 'signing/open-clients',
  requirement: 'SIGN-16',
  places: ['client-auth=none'],
  title: 'A client without credentials is refused, at its registration or in the signing flow',
  needs: toSign,
  async check({ bank, expect }) {
    const response = await answerTo(bank, await bank.signing.metadata(withoutCredentials))
    if (response.status >= 400) return expectBadRequest(expect, response)
    const request = await bank.signing.requestObject.prepare({ clientMetadata: withoutCredentials })
    const outcome = await bank.signing.submission.modified({}, () => request)
    const code = outcome.accepted && codeIn(outcome.accepted.visit)
    if (!outcome.accepted || !code) expectObjectRefused(expect, outcome)
    else expect(await bank.signing.exchangeCode(outcome.accepted.object, code)).toHaveStatus(400, 401)
  },
})

import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { repliesAt } from '../support/throughout.js'
import { expectRegistered } from './registered.js'

export const seenRegistered = rule({
  id: 'signing/request-object-throughout',
  requirement: 'SIGN-1',
  places: ['caller=bearer member=content-type'],
  title: 'Every answer of POST /ros in the run that took a request object is JSON with exp',
  needs: toSign,
  last: true,
  async check({ bank, expect, service }) {
    const { accessToken: bearer } = await bank.signing.login()
    const { request } = (await bank.signing.requestObject({ bearer })).response
    for (const response of repliesAt({ bank }, request.url)) expectRegistered({ expect, service }, response)
  },
})

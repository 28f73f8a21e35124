import type { Visit } from '../../end-user/end-user.js'
import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { reckonedFrom } from '../user-data/known-claims.js'
import { callbackParameter } from './refusals.js'

/** The callback messages about those who cannot sign documents. */
function ineligible(definition: { id: string; requirement: string; title: string; kinds: string[]; message: string }) {
  const { id, requirement, title, kinds, message } = definition
  return rule({
    id,
    requirement,
    places: [
      ...(kinds.length > 1 ? kinds.map((kind) => `person=${kind}`) : []),
      'member=documentObject',
      'member=documentObjects',
      'caller=bearer',
    ],
    title,
    needs: [...toSign, ...kinds.map((kind) => `person:${kind}` as const)],
    async check({ bank, service, expect, inVariation, note, reading }) {
      const expectIneligible = (visit: Visit) => {
        const { response } = visit
        expect(callbackParameter(visit, 'error'), 'error', response).toBe('user_not_eligible')
        expect(callbackParameter(visit, 'error_description'), 'error_description', response).toBe(message)
      }
      const clientMetadata = await bank.signing.metadata()
      for (const person of kinds) {
        // The bank's time moves on, by years where it is examined several times.
        const { majority } = reckonedFrom(bank.person(person).claims ?? {}, service.clock())
        if (person === 'under-age' && majority?.includes(true)) {
          note('the person of kind under-age has come of age by the time of the bank')
          continue
        }
        for (const kind of ['document', 'documents'] as const) {
          await inVariation(
            `a person of kind ${person}, ${kind === 'document' ? 'one document' : 'several'}`,
            async () => {
              const object = await bank.signing.requestObject.fresh({ kind })
              expectIneligible(await bank.signing.authorize(object, { person }))
            },
          )
        }
        await inVariation(`a person of kind ${person}, with an access token`, async () => {
          const { accessToken: bearer } = await bank.token({ clientMetadata, scope: 'openid authorization', person })
          // Whom it is about the bank knows at /ros already.
          if ((await bank.signing.requestObject.try({ kind: 'document', bearer })).status >= 400) return
          const object = await bank.signing.requestObject.fresh({ kind: 'document', bearer })
          expectIneligible(await bank.signing.authorize(object, { person }))
        })
      }
      if (requirement === 'AUTH-32') reading('AMB-28', 'user-not-eligible')
    },
  })
}

export const weakMethod = ineligible({
  id: 'signing/weak-method',
  requirement: 'AUTH-32',
  title: 'A user whose method is too weak for qualified signing ends in user_not_eligible with the message for it',
  kinds: ['weak-method'],
  message: 'User authentication method insufficient',
})

export const insufficientData = ineligible({
  id: 'signing/insufficient-data',
  requirement: 'AUTH-49',
  title: 'A user who is too young, or lacks e-mail and phone, ends in user_not_eligible with the message for it',
  kinds: ['under-age', 'no-contact'],
  message: 'Insufficient user data or age restriction',
})

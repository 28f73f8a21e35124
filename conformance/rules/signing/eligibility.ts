import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
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
    ],
    title,
    needs: [...toSign, ...kinds.map((kind) => `person:${kind}` as const)],
    async check({ bank, expect, inVariation, reading }) {
      for (const person of kinds) {
        for (const kind of ['document', 'documents'] as const) {
          await inVariation(
            `a person of kind ${person}, ${kind === 'document' ? 'one document' : 'several'}`,
            async () => {
              const object = await bank.signing.requestObject.fresh({ kind })
              const visit = await bank.signing.authorize(object, { person })
              const { response } = visit
              expect(callbackParameter(visit, 'error'), 'error', response).toBe('user_not_eligible')
              expect(callbackParameter(visit, 'error_description'), 'error_description', response).toBe(message)
            },
          )
        }
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

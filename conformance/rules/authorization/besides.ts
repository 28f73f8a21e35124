import type { Parameters } from '../../bank/authorization.js'
import { errorOf } from '../../bank/authorization-answer.js'
import { step } from '../../evidence/failure.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { isTaken } from '../request-object/by-reference.js'
import { hintOfRefresh } from '../support/hint-of-refresh.js'
import { challenge } from './broken-parameters.js'
import { parametersAlways } from './checked-always.js'
import { allowed } from './error-row.js'
import { parameterRows } from './parameter-rows.js'

/** What is wrong with a parameter is wrong beside whatever else is asked. */

/**
 * Good values that stand beside the wrong one, by what is told of them: of several that differ in how much they ask for, the first that the
 * bank takes.
 */
async function besidesAt(tools: Tools): Promise<Readonly<Record<string, readonly Parameters[]>>> {
  const { bank } = tools
  const discovery = await bank.discovery()
  const declares = (list: string, value: string) => discovery.declared(list)?.includes(value)
  const some = {
    ...{ display: 'page', max_age: '3600', ui_locales: 'cs' },
    ...(declares('code_challenge_methods_supported', 'S256') && challenge),
  }
  const all = {
    ...some,
    prompt: 'consent',
    acr_values: discovery.declared('acr_values_supported')?.toSorted().at(-1),
    ...(declares('response_modes_supported', 'query') && { response_mode: 'query' }),
    claims: '{"userinfo":{"given_name":null}}',
    id_token_hint: await bank.hint(await bank.token()),
    // Where a refresh gave an id_token, that one.
    ...Object.assign({}, ...Object.values(await hintOfRefresh(tools))),
    sep_id: 'conformance',
  }
  return { 'prompt consent': [{ prompt: 'consent' }], 'all that is optional': [all, some] }
}

export const refusalsBesides: readonly Rule[] = parameterRows
  .filter(({ slug }) => parametersAlways.includes(slug))
  .map(({ slug, requirement, title, broken, answers }) =>
    rule({
      id: `authorization/${slug}-besides`,
      requirement,
      places: [...(requirement === 'AUTH-14' ? [] : ['member=consent parameter=prompt']), 'member=optional-besides'],
      title: `${title}, whatever stands beside it`,
      needs: toLogIn,
      async check(tools) {
        const { bank, expect, inVariation, skip } = tools
        const [change] = Object.values(broken)
        const wrong =
          typeof change === 'function' ? await change(await bank.authorizationRequest.prepare(), bank) : change
        if (!wrong) return skip('this bank declares nothing that could be broken so')
        const asked = (more: Parameters) =>
          bank.authorizationRequest.modified({}, ({ parameters }) => ({ parameters: { ...parameters, ...more } }))
        const expectRefused = (response: HttpResponse) =>
          expect(errorOf(response), 'the answer to the request', response).toSatisfy(
            ({ to, code }) => answers.some((one) => one.to === to && one.code === code),
            answers.map(allowed).join(' or '),
          )
        // What is taken with nothing beside it is one mistake, and no further one here.
        await step(`authorization/${slug}`, async () => expectRefused(await asked(wrong)))
        const tried: string[] = []
        for (const [what, besides] of Object.entries(await besidesAt(tools))) {
          await inVariation(`beside ${what}`, async () => {
            for (const good of besides) {
              // What a bank refuses for what stands beside, or for how much it is, shows nothing of the wrong parameter.
              const isWrongAlone = Object.keys(good).every((name) => name in wrong)
              if (isWrongAlone || !isTaken(await asked(good))) continue
              tried.push(what)
              expectRefused(await asked({ ...good, ...wrong }))
              return
            }
          })
        }
        if (tried.length === 0) skip('the bank takes nothing beside which it could be wrong')
      },
    }),
  )

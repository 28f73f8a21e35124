import { exitCodes } from '../output.js'
import { command } from '../testing/command.js'

describe('conformance list', () => {
  test('takes patterns, topics, levels and needs, and lists as JSON', async () => {
    const { out: printed } = await command(['list', '*', '!TOK-2', '--topic', 'token', '--needs', 'person', '--json'])
    expect(JSON.parse(printed)).toContainEqual({
      rule: 'token/code-exchange',
      requirement: 'TOK-1',
      level: 'MUST',
      section: 'Token response',
      title: 'A code is exchanged for tokens: 200 with a JSON token response',
      needs: ['client', 'person'],
      alone: [],
    })
    expect(printed).not.toContain('TOK-2"')
    expect(await command(['list', '--topic', 'tokens'])).toMatchObject({
      code: exitCodes.nothingSelected,
      err: expect.stringMatching(/^there is no topic tokens; known are .*\bsigning, .*token, /),
    })
    expect(await command(['list', '--needs', 'person:tall'])).toMatchObject({
      code: exitCodes.nothingSelected,
      err: expect.stringMatching(/^there is no need person:tall; known are .*person, person:[a-z0-9-]+, /),
    })
    expect(await command(['list', '--level', 'WISH'])).toMatchObject({ code: exitCodes.usage })
    expect(await command(['list', '--edition', '9.9'])).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringContaining("argument '9.9' is invalid. Allowed choices are 1.2."),
    })
  })

  test('lists id, requirement, level and title of each rule', async () => {
    const { code, out: printed } = await command(['list'])
    expect(code).toBe(exitCodes.nothingFailed)
    expect(printed.split('\n')).toContainEqual(
      expect.stringMatching(
        /^token\/scope-listed +TOK-2 +MUST +The token response lists exactly the granted scopes, space-separated$/,
      ),
    )
  })
})

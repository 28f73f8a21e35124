import { exitCodes } from '../output.js'
import { command } from '../testing/command.js'

describe('conformance explain', () => {
  const explained = async (id: string) => (await command(['explain', id])).out

  test('tells a rule: its requirement, readings, needs, faults that prove it', async () => {
    const text = await explained('registration/create')
    expect(text).toContain('rule registration/create: A client is registered')
    expect(text).toMatch(/^ {2}requirement: {3}REG-1 MUST, "/m)
    expect(text).toMatch(/^ {2}readings: {6}AMB-15: .*\(ok: 200; created: 201 \(warn\)\)$/m)
    expect(text).toMatch(/^ {2}needs: {9}trusted, inbound$/m)
    expect(text).toMatch(/^ {2}proven by: {5}fault registration\/[a-z-]+: [A-Z]/m)
  })

  test('tells a requirement, an ambiguity, a fault', async () => {
    expect(await explained('TOK-2')).toMatch(/^ {2}rule: {10}token\/scope-listed: /m)
    expect(await explained('AMB-15')).toMatch(/^ {2}reading: {7}created: 201 \(warn\)$/m)
    expect(await explained('token/scope-missing')).toMatch(
      /^fault token\/scope-missing of the bundled bank: Leaves scope out of the token response\n(.*\n)* {2}rule: {10}token\/scope-listed \(fail\): .*\(TOK-2\)$/m,
    )
  })

  test('names what comes near when nothing has the id', async () => {
    expect(await command(['explain', 'token/scopes-listed'])).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringMatching(/^nothing is called token\/scopes-listed; did you mean .*token\/scope-listed/),
    })
    expect((await command(['explain', 'tok-2'])).err).toMatch(/^nothing is called tok-2; did you mean TOK-2, /)
    expect((await command(['explain', 'nonsense'])).err).toBe(
      'nothing is called nonsense: conformance list shows the rules and their requirements',
    )
  })
})

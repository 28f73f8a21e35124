import { createBank } from '../bank-idp/bank.js'
import { examine } from '../conformance/examine.js'
import { targetOf } from './bundled-bank.js'

test('who was under age when the target file was written is not taken for it two years later', async () => {
  const bank = await createBank({ control: true })
  try {
    await bank.listen()
    const target = targetOf(bank)
    await bank.clock.advance('800d')
    const { results } = await examine({ target, only: ['signing/insufficient-data'] })
    expect(results.map(({ status, notes }) => ({ status, notes }))).toEqual([
      { status: 'pass', notes: ['the person of kind under-age has come of age by the time of the bank'] },
    ])
  } finally {
    await bank.close()
  }
})

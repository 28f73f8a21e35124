import { Agent, request } from 'undici'
import { examine } from '../examine.js'
import { rule } from '../harness/rule.js'
import { toRegister } from '../target/needs.js'
import { bankForFile } from '../testing/banks.js'
import { certificates } from '../testing/certificates.js'

const bank = await bankForFile()

test('SVC-11: a published sector_identifier_uri is reachable and lists every redirect URI that shares it', async () => {
  const shared = ['https://first.example/callback', 'https://second.example/callback']
  const seen: unknown[] = []
  const hosting = rule({
    id: 'sector/hosted',
    requirement: 'SUB-6',
    title: 'Two clients share a sector',
    needs: toRegister,
    async check({ bank: examined, expect: expectOf }) {
      const sector_identifier_uri = await examined.sectorDocument(shared)
      const again = await examined.sectorDocument(shared)
      await examined.client({ redirect_uris: shared.slice(0, 1), sector_identifier_uri })
      await examined.client({ redirect_uris: shared.slice(1), sector_identifier_uri })
      const dispatcher = new Agent({ connect: { ca: (await certificates()).ca } })
      const { statusCode, headers, body } = await request(sector_identifier_uri, { dispatcher })
      expectOf(statusCode, 'the status of the document').toBe(200)
      seen.push(again === sector_identifier_uri, statusCode, headers['content-type'], await body.json())
      await dispatcher.close()
    },
  })
  const { results } = await examine({ target: bank.target, rules: [hosting] })
  expect(results.map(({ status, reason }) => [status, reason])).toEqual([['pass', undefined]])
  expect(seen).toEqual([true, 200, 'application/json', shared])
})

test('SVC-12[endpoint=register], SVC-12[endpoint=token]: each assertion has the claims of its row of the table, and a jti of its own', async () => {
  const { evidence } = await examine({ target: bank.target, only: ['token/code-exchange', 'REG-4'] })
  const assertions = evidence.flatMap((item) =>
    item.kind === 'opened' && item.what === 'client_assertion' ? [item.payload as Record<string, unknown>] : [],
  )
  const rows = assertions.map((claims) => Object.keys(claims).sort().join(' '))
  expect(new Set(rows)).toEqual(new Set(['aud exp iat jti', 'aud exp iat iss jti sub']))
  for (const { aud, iss, sub, exp, iat } of assertions) {
    expect(aud).toBe(`${bank.url}${iss === undefined ? '/register' : '/token'}`)
    expect(sub).toBe(iss)
    expect(Number(exp) - Number(iat)).toBe(60)
    expect(Math.abs(Number(iat) - Date.now() / 1000)).toBeLessThan(60)
  }
  expect(new Set(assertions.map(({ jti }) => jti)).size).toBe(assertions.length)
})

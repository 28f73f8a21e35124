import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { createBank } from '../bank.js'
import { resolveSettings } from '../settings.js'
import { run } from '../testing/command.js'

const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
afterAll(() => rmSync(data, { recursive: true }))

const app = { client_id: 'my-app', client_secret: 'my-secret', redirect_uris: ['https://app.example/cb'] }

const file = join(data, 'bank.yaml')
writeFileSync(
  file,
  'clients:\n  - {client_id: my-app, client_secret: my-secret, redirect_uris: [https://app.example/cb]}\n',
)

test('a client of the file logs people in by its secret alone', async () => {
  const { settings } = resolveSettings({ flags: {}, environment: {}, file })
  expect(settings).toEqual({ clients: [app] })
  const bank = await createBank(settings)
  try {
    const { tokens, claims } = await bank.login('my-app', 'jana', { scope: 'openid offline_access profile.name' })
    expect([claims.aud, tokens.scope, typeof tokens.refresh_token]).toEqual([
      'my-app',
      'openid profile.name offline_access',
      'string',
    ])
  } finally {
    await bank.close()
  }
})

test('a later start gives it the record and the secret of then, and the same people', async () => {
  const directory = join(data, 'bank')
  const first = await createBank({ data: directory, clients: [app] })
  const { claims } = await first.login('my-app', 'jana', { scope: 'openid profile.name' })
  await first.close()
  const second = await createBank({
    data: directory,
    clients: [{ ...app, client_secret: 'another', redirect_uris: ['https://app.example/other'], client_name: 'Other' }],
  })
  try {
    const again = await second.login('my-app', 'jana', { redirectUri: 'https://app.example/other', prompt: 'login' })
    expect(again.claims.sub).toBe(claims.sub)
    await expect(second.login('my-app', 'jana', { redirectUri: 'https://app.example/cb' })).rejects.toThrow(
      'redirect_uri',
    )
  } finally {
    await second.close()
  }
})

test('SUB-7: a later start by whose record people have other subs ends what was granted before; another one does not', async () => {
  const directory = join(data, 'other-subs')
  const started = (changes: Record<string, unknown> = {}) =>
    createBank({ data: directory, clients: [{ ...app, ...changes }] })
  const statusAt = async ({ issuer, identity }: Awaited<ReturnType<typeof started>>, token: string) => {
    const dispatcher = new Agent({ connect: { ca: identity.authority.cert } })
    const { body, statusCode } = await request(`${issuer}/userinfo`, {
      dispatcher,
      headers: { authorization: `Bearer ${token}` },
    })
    await body.dump()
    await dispatcher.close()
    return statusCode
  }
  const first = await started()
  const { tokens } = await first.login('my-app', 'jana', { scope: 'openid profile.name' })
  await first.close()
  const statuses: number[] = []
  for (const changes of [{ client_name: 'Renamed' }, { subject_type: 'public' }]) {
    const bank = await started(changes)
    await bank.listen()
    statuses.push(await statusAt(bank, String(tokens.access_token)))
    await bank.close()
  }
  expect(statuses).toEqual([200, 401])
})

test.each([
  [
    { ...app, redirect_uris: ['http://app.example/cb'] },
    'option clients[0].redirect_uris: http://app.example/cb is not https',
  ],
  [{ ...app, scopes: 'openid' }, 'option clients[0].scopes is not a known member: did you mean scope?'],
  [{ client_id: 'x', client_secret: 'y' }, 'option clients[0].redirect_uris is missing.'],
  [
    { ...app, token_endpoint_auth_method: 'private_key_jwt' },
    'option clients[0].jwks_uri is missing: token_endpoint_auth_method needs keys of the client, at an https address',
  ],
  [
    { ...app, id_token_encrypted_response_alg: 'RSA-OAEP-256' },
    'option clients[0].jwks_uri is missing: id_token_encrypted_response_alg needs keys of the client',
  ],
  ['my-app', 'option clients[0] must be an object, but is a string.'],
])('%j is refused', async (client, message) => {
  await expect(createBank({ clients: [client as typeof app] })).rejects.toThrow(message)
})

test('two of one name are refused', async () => {
  await expect(createBank({ clients: [app, app] })).rejects.toThrow('items with the same client_id')
})

test('the secret is not printed', async () => {
  const { stdout } = await run('config', '--config', file)
  expect(stdout).toMatch(/client_id: my-app,\s+client_secret: "\*\*\*",[^#]*# \S+: clients\n/)
  expect(stdout).not.toContain('my-secret')
})

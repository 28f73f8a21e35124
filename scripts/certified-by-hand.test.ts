import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { freePort } from '../bank-idp/testing/free-port.js'
import { exitCodes } from '../conformance/output.js'
import { attestations } from '../conformance/testing/certified-bank.js'
import { command } from '../conformance/testing/command.js'
import { startForeignBank } from '../conformance/testing/foreign-bank.js'
import { targetDirectory } from '../conformance/testing/target-file.js'
import { Hand } from './logins/hand.js'

// With a client that is given there is little to see, and the small bank breaks some of it: what is found is signed, whatever it is.
test('somebody who signs in by hand certifies what can be seen so', async () => {
  const [directory, bank, port] = await Promise.all([targetDirectory(), startForeignBank(), freePort()])
  const url = `https://localhost:${port}`
  const record = {
    redirect_uris: [`${url}/callback`],
    scope: 'openid profile.name profile.email',
    token_endpoint_auth_method: 'none',
  }
  bank.clients.set('given', record)
  const path = (name: string) => join(directory.path, name)
  directory.write('consent.png', 'a screenshot')
  directory.write('attestations.yaml', stringify(attestations))
  const target = directory.write(
    'target.yaml',
    stringify({
      issuer: bank.url,
      ca: 'ca.pem',
      service: { server: { listen: `localhost:${port}`, url, cert: 'cert.pem', key: 'key.pem' } },
      client: { client_id: 'given', record },
      people: bank.target.people,
      login: { by: 'person' },
      signing: { offered: false },
      attestations: 'attestations.yaml',
      not_examined: [{ rules: ['*'], reason: 'Nobody sees it by hand, or the bank does not have it.' }],
    }),
  )
  const [jana] = bank.target.people
  if (!jana) throw new Error('the bank knows nobody')
  const hand = new Hand(bank.target.pages, jana, bank.target.ca)
  let sitting = Promise.resolve()
  try {
    await command(['make-key', path('key')])
    const certified = await command(
      ['run', '--certify', '--target', target, '--key', path('key'), '--out', path('bundle')],
      {
        heard(line) {
          const [, address] = /open (https:\S+) in your browser/.exec(line) ?? []
          if (address) sitting = hand.open(address)
        },
      },
    )
    await sitting
    expect(certified).toMatchObject({
      code: exitCodes.bankFailed,
      err: expect.stringMatching(/^Sign in by hand: open \S+ in your browser[^\n]*$/),
    })
    expect(hand.lost).toEqual([])
    expect(hand.passed.get('sign-in')).toBeGreaterThan(0)
    const { results } = JSON.parse(readFileSync(path('bundle/verdicts.json'), 'utf8'))
    const passed = results.filter(({ status }: { status: string }) => status === 'pass')
    expect(passed.map(({ rule }: { rule: string }) => rule)).toEqual(
      expect.arrayContaining(['discovery/document', 'token/code-exchange', 'userinfo/signed']),
    )
    expect(JSON.parse(readFileSync(path('bundle/target.json'), 'utf8'))).toMatchObject({ login: 'person' })
    expect(await command(['verify', path('bundle'), '--key', path('key.pub')])).toMatchObject({
      code: exitCodes.nothingFailed,
      err: '',
    })
  } finally {
    await bank.close()
    directory.remove()
  }
})

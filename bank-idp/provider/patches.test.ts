import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../../schemas/package-file.js'
import { UsageError } from '../errors.js'
import { type Adapter, Provider } from './library.js'
import { checkMembers, members } from './patches.js'

/** One that warns of nothing: it has a key and a store, and no pages for developers. */
function makeProvider(): Provider {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey.export({ format: 'jwk' })
  return new Provider('https://bank.example', {
    adapter: () => ({}) as Adapter,
    cookies: { keys: ['secret'] },
    features: { devInteractions: { enabled: false } },
    jwks: { keys: [{ ...key, kty: 'EC', alg: 'ES512', use: 'sig' }] },
  })
}

/** Takes a member away, from wherever it is inherited too; each provider has classes of its own. */
function takeAway(holder: object, name: string): void {
  for (let at: object | null = holder; at !== null && at !== Object.prototype; at = Reflect.getPrototypeOf(at)) {
    Reflect.deleteProperty(at, name)
  }
}

test('oidc-provider is pinned to one version, which has every member that the bank relies on', () => {
  const read = (path: string) => JSON.parse(readFileSync(packageFile(path), 'utf8'))
  const { version } = read('node_modules/oidc-provider/package.json')
  const { packages } = read('package-lock.json')
  expect(read('package.json').dependencies['oidc-provider']).toBe(version)
  expect(packages[''].dependencies['oidc-provider']).toBe(version)
  expect(packages['node_modules/oidc-provider'].version).toBe(version)
  expect(() => checkMembers(makeProvider())).not.toThrow()
})

const overwritten = members.flatMap((one) => (one.overwritten ? one.names.map((name) => ({ ...one, name })) : []))

test.each(overwritten)('a version without $name of $place is refused', ({ place, at, name }) => {
  const provider = makeProvider()
  takeAway(at(provider), name)
  expect(() => checkMembers(provider)).toThrow(UsageError)
  expect(() => checkMembers(provider)).toThrow(`has no ${name} of ${place}`)
  expect(() => checkMembers(provider)).toThrow(/install oidc-provider \d+\.\d+\.\d+, which the bank is made for$/)
})

test('a version whose sessions are kept otherwise is refused, with each member that is gone', () => {
  const provider = makeProvider()
  Object.defineProperty(provider.Session, 'IN_PAYLOAD', { value: ['uid', 'jti', 'accountId', 'acr', 'amr'] })
  expect(() => checkMembers(provider)).toThrow(
    /has no state of the payload of Session\. .*\n.*has no authorizations of the payload of Session\. /,
  )
})

test('a version without a whole class is refused', () => {
  const provider = makeProvider()
  Object.defineProperty(provider.Client, 'Schema', { value: undefined })
  expect(() => checkMembers(provider)).toThrow('has no invalidate of Client.Schema.prototype')
})

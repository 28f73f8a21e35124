import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAuthority, makeCertificate } from './certificates.js'
import { type IdentityInMemory, ownHosts, serviceHosts } from './identity.js'
import { sharedIdentity } from './identity-in-memory.js'
import { keptOrMade } from './kept-identity.js'

const dayMs = 24 * 60 * 60 * 1000
const made = await sharedIdentity()
const directory = mkdtempSync(join(tmpdir(), 'kept-'))
afterAll(() => rmSync(directory, { recursive: true }))

let number = 0
function newFile(): string {
  number += 1
  return join(directory, String(number), 'kept.json')
}

/** @returns what came of it, and whether it had to be made */
async function ask(file: string): Promise<{ got: IdentityInMemory; anew: boolean }> {
  let anew = false
  const got = await keptOrMade(file, async () => {
    anew = true
    return made
  })
  return { got, anew }
}

test('what was made is kept for the next process, readable by its owner alone', async () => {
  const file = newFile()
  expect(await ask(file)).toEqual({ got: made, anew: true })
  expect(await ask(file)).toEqual({ got: made, anew: false })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(file, '..'))).toEqual(['kept.json'])
})

/** One whose authority was made at another time. */
async function madeAt(time: number): Promise<IdentityInMemory> {
  const authority = await makeAuthority(time)
  const [tls, service, other] = await Promise.all([
    makeCertificate(authority, { commonName: 'bank', hosts: ownHosts, usages: ['client'] }),
    makeCertificate(authority, { commonName: 'service', hosts: serviceHosts, usages: ['client'] }),
    makeCertificate(authority, { commonName: 'other', hosts: serviceHosts, usages: ['client'] }),
  ])
  const { jwks } = made.identity.service
  return {
    ...made,
    identity: { authority, tls, service: { certificate: service, otherCertificate: other, jwks } },
  }
}

const write = (file: string, content: unknown) => writeFileSync(file, JSON.stringify(content))
const withTls = (tls: IdentityInMemory['identity']['tls']) => ({ ...made, identity: { ...made.identity, tls } })

test('one that is six days old is used', async () => {
  const file = newFile()
  await ask(file)
  write(file, await madeAt(Date.now() - 6 * dayMs))
  expect((await ask(file)).anew).toBe(false)
})

test.each<[what: string, spoil: (file: string) => void | Promise<void>]>([
  ['was cut short', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 1_000))],
  ['is JSON of another kind', (file) => write(file, [])],
  ['may be read by others', (file) => chmodSync(file, 0o640)],
  ['may be written by others', (file) => chmodSync(file, 0o602)],
  [
    'holds a key that belongs to another certificate',
    (file) => write(file, withTls({ ...made.identity.tls, key: made.identity.service.certificate.key })),
  ],
  [
    'holds a certificate for other hosts',
    async (file) =>
      write(
        file,
        withTls(await makeCertificate(made.identity.authority, { commonName: 'bank', hosts: ['bank.example'] })),
      ),
  ],
  [
    'holds a certificate by another authority',
    async (file) =>
      write(file, withTls(await makeCertificate(await makeAuthority(), { commonName: 'bank', hosts: ownHosts }))),
  ],
  ['is eight days old', async (file) => write(file, await madeAt(Date.now() - 8 * dayMs))],
  ['comes from the future', async (file) => write(file, await madeAt(Date.now() + 8 * dayMs))],
])('a file that %s is as none, and replaced', async (_what, spoil) => {
  const file = newFile()
  await ask(file)
  await spoil(file)
  expect(await ask(file)).toEqual({ got: made, anew: true })
  expect(await ask(file)).toEqual({ got: made, anew: false })
})

test('a link is not followed, and what it leads to stays as it was', async () => {
  const [file, elsewhere] = [newFile(), newFile()]
  await ask(elsewhere)
  mkdirSync(join(file, '..'))
  symlinkSync(elsewhere, file)
  const before = readFileSync(elsewhere, 'utf8')
  expect((await ask(file)).anew).toBe(true)
  expect(readFileSync(elsewhere, 'utf8')).toBe(before)
})

test('where nothing can be written, nothing is kept', async () => {
  const file = newFile()
  await ask(file)
  const below = join(file, 'kept.json')
  expect(await ask(below)).toEqual({ got: made, anew: true })
  expect(existsSync(below)).toBe(false)
})

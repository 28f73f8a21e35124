import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from '../../../schemas/package-file.js'
import { bankForFile } from '../../testing/banks.js'

/** More people than a page lists. */
const folder = join(mkdtempSync(join(tmpdir(), 'people-')), 'people')
mkdirSync(folder)
const petr = JSON.parse(readFileSync(packageFile('fixtures/people/petr.json'), 'utf8'))
for (let i = 10; i < 70; i += 1) {
  const person = { ...petr, id: `00000000-0000-4000-8000-0000000000${i}`, login: `clone${i}`, password: 'secret' }
  writeFileSync(join(folder, `clone${i}.json`), JSON.stringify(person))
}

const { service, client } = await bankForFile({ people: folder })

const begun = await service.http('get', '/auth').query({
  client_id: client.client_id,
  redirect_uri: client.redirect_uri,
  response_type: 'code',
  scope: 'openid',
  state: 's',
  nonce: 'n',
  ui_locales: 'cs',
})
const cookie = [begun.get('set-cookie') ?? []]
  .flat()
  .map((one) => one.replace(/;.*/, ''))
  .join('; ')
const path = String(begun.get('location'))

async function found(search: string): Promise<{ logins: string[]; status: string | undefined; text: string }> {
  const { text } = await service.http('get', path).query({ search }).set('cookie', cookie)
  const logins = [...text.matchAll(/name="person" value="([^"]+)"/g)].map(([, login]) => String(login))
  return { logins, status: /<p role="status">(.*?)<\/p>/.exec(text)?.[1], text }
}

test('among many people one is searched for, by login name, name or reason, without regard to accents and case', async () => {
  expect((await found('')).status).toBe('Zobrazeno 50 z 88 osob')
  expect(await found('DVORAKOVA jana')).toMatchObject({ logins: ['jana'], status: 'Zobrazeno 1 z 1 osob' })
  expect((await found('svepravnost')).logins).toEqual(['ludvik'])
  expect((await found('legal capacity')).logins).toEqual(['ludvik'])
  expect((await found('clone69')).logins).toEqual(['clone69'])
  expect(await found('nobody at all')).toMatchObject({ logins: [], status: 'Nikdo nebyl nalezen.' })
})

test('what is searched for is shown as text, and no more than a hundred characters of it', async () => {
  const { text, logins } = await found(`"><script>${'x'.repeat(200)}`)
  expect(text).toContain(`value="&quot;>&lt;script>${'x'.repeat(90)}"`)
  expect([text.includes('<script'), logins]).toEqual([false, []])
})

test('who is found is chosen by a click', async () => {
  const { text } = await found('jana')
  const answer = await service
    .http('post', String(/action="([^"]+)"/.exec(text)?.[1]))
    .type('form')
    .set('cookie', cookie)
    .send({ person: 'jana' })
  expect([answer.status, answer.get('location')]).toEqual([303, expect.stringMatching(/\/auth\/[\w-]+$/)])
})

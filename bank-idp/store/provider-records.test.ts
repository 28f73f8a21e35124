import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../schemas/package-file.js'
import { openDatabase } from './database.js'
import { ProviderRecords } from './provider-records.js'

const directory = mkdtempSync(join(tmpdir(), 'bank-idp-records-'))
afterAll(() => rmSync(directory, { recursive: true }))

const found = async (records: ProviderRecords, id: string) => records.find('AccessToken', 'id', id)

/** A node of its own, in a thread: exchanges the codes it is told, and says whether it won. */
const node = `
  import { parentPort, workerData } from 'node:worker_threads'
  const { openDatabase } = await import(workerData.store + 'database.js')
  const { ProviderRecords } = await import(workerData.store + 'provider-records.js')
  const db = await openDatabase(workerData.file)
  const records = new ProviderRecords(db, 'key')
  parentPort.on('message', async (code) => {
    const token = code + '-' + workerData.name
    const exchange = async () => {
      await records.use('AuthorizationCode', code)
      await records.upsert('AccessToken', token, {}, 3600)
    }
    parentPort.postMessage({ token, won: await records.together(exchange, () => true) })
  })
  parentPort.postMessage('ready')
`

function startNode(file: string, name: string): Worker {
  const store = pathToFileURL(packageFile('dist/bank-idp/store/')).href
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(node)}`), {
    workerData: { file, name, store: `${store.replace(/\/?$/, '/')}` },
  })
}

test('TOK-26 of exchanges that race on several nodes exactly one wins, and only its tokens are kept', async () => {
  const file = join(directory, 'store.db')
  const db = await openDatabase(file)
  const records = new ProviderRecords(db, 'key')
  const nodes = ['a', 'b', 'c'].map((name) => startNode(file, name))
  await Promise.all(nodes.map((worker) => once(worker, 'message')))
  for (let round = 0; round < 30; round += 1) {
    await records.upsert('AuthorizationCode', `code-${round}`, {}, 600)
    const answers = nodes.map((worker) => once(worker, 'message'))
    for (const worker of nodes) worker.postMessage(`code-${round}`)
    const results = (await Promise.all(answers)).map(([result]) => result as { token: string; won: boolean })
    expect(results.filter(({ won }) => won)).toHaveLength(1)
    for (const { token, won } of results) expect((await found(records, token)) !== undefined).toBe(won)
  }
  await Promise.all(nodes.map((worker) => worker.terminate()))
  await db.destroy()
})

test('what a failed request would have kept and used up is not', async () => {
  const db = await openDatabase(':memory:')
  const records = new ProviderRecords(db, 'key')
  await records.upsert('RefreshToken', 'refresh', {}, 3600)
  const work = async () => {
    await records.use('RefreshToken', 'refresh')
    await records.upsert('AccessToken', 'access', {}, 3600)
  }
  await records.together(work, () => false)
  expect(await found(records, 'access')).toBeUndefined()
  expect(await records.find('RefreshToken', 'id', 'refresh')).toEqual({})
  await db.destroy()
})

test('what is held back is written with the rest of a transaction, or not at all', async () => {
  const db = await openDatabase(':memory:')
  const records = new ProviderRecords(db, 'key')
  const write = await records.holdBack(() => records.upsert('AccessToken', 'access', {}, 3600))
  expect(await found(records, 'access')).toBeUndefined()
  const failing = db.transaction().execute(async (transaction) => {
    await write(transaction)
    throw new Error('the rest fails')
  })
  await expect(failing).rejects.toThrow('the rest fails')
  expect(await found(records, 'access')).toBeUndefined()
  await db.transaction().execute(write)
  expect(await found(records, 'access')).toEqual({})
  await db.destroy()
})

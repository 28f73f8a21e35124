import { createServer } from 'node:http'
import express, { type Express } from 'express'
import request from 'supertest'
import { OwnKinds } from './own-kinds.js'

/** What an application answers that says who it is, and whether it is asked with requests and answers of its kind. */
async function answers(kinds: OwnKinds, app: Express): Promise<{ ownKind: boolean; name: string }> {
  let ownKind = false
  const server = createServer(kinds.classes, (req, res) => {
    ownKind = Object.getPrototypeOf(req) === app.request && Object.getPrototypeOf(res) === app.response
    app(req, res)
  })
  const { text } = await request(server).get('/')
  return { ownKind, name: text }
}

function appCalled(name: string): Express {
  return express()
    .set('name', name)
    .get('/', (req, res) => void res.send(`${req.app.get('name')} ${res.app.get('name')} ${req.path}`))
}

test('requests and answers are of the kind of the application before it is asked, and of the one that came last', async () => {
  const kinds = new OwnKinds()
  const [first, second] = [appCalled('first'), appCalled('second')]
  kinds.fit(first)
  expect(await answers(kinds, first)).toEqual({ ownKind: true, name: 'first first /' })
  kinds.fit(first)
  expect(await answers(kinds, first)).toEqual({ ownKind: true, name: 'first first /' })
  kinds.fit(second)
  expect(await answers(kinds, second)).toEqual({ ownKind: true, name: 'second second /' })
})

test('an application that another server has as well is asked by both', async () => {
  const app = appCalled('one')
  const [here, there] = [new OwnKinds(), new OwnKinds()]
  here.fit(app)
  there.fit(app)
  expect((await answers(here, app)).name).toBe('one one /')
  expect((await answers(there, app)).name).toBe('one one /')
})

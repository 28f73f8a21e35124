import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { EvidenceLog } from '../evidence/evidence.js'
import { Unreachable } from '../evidence/failure.js'
import { Masking } from '../evidence/masking.js'
import { json, serve, type TestServer } from '../testing/https-server.js'
import { type Offer, otherSuites, shakeHands, unnamedSuites } from './tls.js'

let server: TestServer

beforeAll(async () => {
  server = await serve({ 'GET /': () => json({}) })
})

afterAll(() => server.close())

/** @param timeoutSeconds long for whoever answers on a busy machine, short for whoever never does */
function party(issuer: string, timeoutSeconds = 30) {
  const log = new EvidenceLog(new Masking())
  const { signal } = new AbortController()
  return { log, run: { target: { issuer, timeoutSeconds } }, evidence: log.recorder(), signal }
}

const common: Offer = { version: 'TLSv1.2', suites: 'ALL' }

/** A server that answers every connection in one way, below TLS. */
async function rawServer(answer: Parameters<typeof createServer>[1]): Promise<{ url: string; raw: Server }> {
  const raw = createServer(answer).listen(0, '127.0.0.1')
  await once(raw, 'listening')
  return { url: `https://127.0.0.1:${(raw.address() as AddressInfo).port}`, raw }
}

describe('a TLS handshake', () => {
  test('tells the suite agreed on, what was refused, and what cannot be offered, and records all of it', async () => {
    const context = party(server.url)
    const offers: Offer[] = [
      { version: 'TLSv1.2', suites: 'ECDHE-ECDSA-AES128-GCM-SHA256' },
      { version: 'TLSv1.2', suites: 'ECDHE-RSA-AES128-GCM-SHA256' },
      { version: 'TLSv1.1', suites: 'ALL' },
      { version: 'TLSv1.2', suites: 'SRP-AES-128-CBC-SHA' },
      { version: 'TLSv1.2', suites: 'NO-SUCH-SUITE' },
    ]
    const agreed = 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'
    expect(await shakeHands(context, offers)).toEqual([
      { offer: offers[0], outcome: 'agreed', suite: agreed },
      { offer: offers[1], outcome: 'refused' },
      { offer: offers[2], outcome: 'refused' },
      { offer: offers[3], outcome: 'not offered' },
      { offer: offers[4], outcome: 'not offered' },
    ])
    expect(context.log.items).toMatchObject([
      {
        kind: 'handshakes',
        address: new URL(server.url).host,
        tried: [
          { ...offers[0], outcome: agreed },
          { ...offers[1], outcome: 'refused' },
          { ...offers[2], outcome: 'refused' },
          { ...offers[3], outcome: 'not offered' },
          { ...offers[4], outcome: 'not offered' },
        ],
      },
    ])
  })

  test('offers every suite that the library names, and the rest at once', async () => {
    expect(otherSuites).toEqual(expect.arrayContaining(['AES128-SHA', 'PSK-AES128-GCM-SHA256', 'DHE-RSA-AES128-SHA']))
    expect(otherSuites).not.toContain('ECDHE-RSA-AES128-GCM-SHA256')
    const [rest] = await shakeHands(party(server.url), [{ version: 'TLSv1.2', suites: unnamedSuites }])
    // The server takes the defaults of Node, in which there is no other suite with ECDSA.
    expect(rest).toMatchObject({ outcome: 'agreed', suite: expect.stringMatching(/^TLS_ECDHE_ECDSA_WITH_/) })
  })

  test('takes a connection that just ends for a refusal', async () => {
    let ended = 0
    const { url, raw } = await rawServer((socket) => {
      ended += 1
      if (ended === 1) return void socket.destroy()
      const behind = connect(Number(new URL(server.url).port), 'localhost').on('error', () => {})
      socket
        .on('error', () => {})
        .pipe(behind)
        .pipe(socket)
    })
    expect(await shakeHands(party(url), [common])).toMatchObject([{ outcome: 'refused' }])
    raw.close()
  })

  test('takes nothing for a refusal where nobody is heard', async () => {
    const { url, raw } = await rawServer((socket) => socket.destroy())
    await expect(shakeHands(party(url), [common])).rejects.toThrow(
      new Unreachable({ sentence: `${new URL(url).host}: the bank refuses every TLS handshake now` }),
    )
    raw.close()
  })

  test('fails when the bank stays silent, or is not there', async () => {
    const { url, raw } = await rawServer((socket) => socket.resume())
    const { host } = new URL(url)
    await expect(shakeHands(party(url, 0.2), [common])).rejects.toThrow(
      `${host}: the bank did not complete the handshake in time`,
    )
    raw.close()
    await once(raw, 'close')
    await expect(shakeHands(party(url), [common])).rejects.toThrow(
      `${host}: the bank cannot be connected to (ECONNREFUSED)`,
    )
  })
})

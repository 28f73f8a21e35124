import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { LiveBank } from './live-bank.js'
import type { Row } from './table.js'

/** What a peer does once it is connected, and how it may be answered: by a status, or by the end of the connection. */
const peers: Record<string, { begin: string; drip?: string; statuses: number[] }> = {
  'says nothing': { begin: '', statuses: [408] },
  'sends its headers a letter at a time': { begin: 'GET /healthcheck HTTP/1.1\r\nx: ', drip: 'x', statuses: [408] },
  'sends its body a letter at a time': {
    begin:
      'POST /token HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 9999\r\n\r\n',
    drip: 'x',
    statuses: [408],
  },
  'goes on without an end in its headers': {
    begin: 'GET / HTTP/1.1\r\n',
    drip: `x: ${'y'.repeat(4_000)}\r\n`,
    statuses: [408, 431],
  },
  'goes away after a request': { begin: 'GET /healthcheck HTTP/1.1\r\nhost: x\r\n\r\n', statuses: [200] },
}

export interface PeerOptions {
  /** Connections of each kind of peer. */
  connections: number
  /** Requests of a good client meanwhile. */
  requests: number
}

/** Seconds that the bank gives a peer here; a good answer may take as long. */
const patienceSeconds = 2

async function visit(live: LiveBank, { begin, drip }: (typeof peers)[string]): Promise<string> {
  const { issuer, identity } = live.bank
  const socket: TLSSocket = connect({
    port: Number(new URL(issuer).port),
    servername: 'localhost',
    ca: identity.authority.cert,
  })
  let said = ''
  const closed = new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()))
  socket.on('data', (chunk) => {
    said += chunk
  })
  await Promise.race([once(socket, 'secureConnect').catch(() => {}), closed])
  if (begin !== '') socket.write(begin)
  const dripping = setInterval(() => drip !== undefined && socket.writable && socket.write(drip), 100)
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve('stays'), patienceSeconds * 4_000).unref()
  })
  const outcome = await Promise.race([closed.then(() => said), late])
  clearInterval(dripping)
  socket.destroy()
  return outcome
}

/** Has slow and idle peers come to the bank, many at once: each is cut in time, and a good client is answered meanwhile. */
export async function slowPeers({ connections, requests }: PeerOptions): Promise<Row[]> {
  const live = await LiveBank.start({
    limits: { idleTime: patienceSeconds, requestTime: patienceSeconds, connections: connections * 6 },
  })
  try {
    const visits = Object.entries(peers).map(async ([what, peer]): Promise<Row> => {
      const row: Row = { what: `a peer that ${what}`, tried: connections, lost: [] }
      const told = await Promise.all(Array.from({ length: connections }, () => visit(live, peer)))
      for (const text of told) {
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
        if (text === 'stays') row.lost.push('is connected still')
        else if (text !== '' && !peer.statuses.includes(status)) row.lost.push(`was told ${text.slice(0, 80)}`)
      }
      return row
    })
    const good: Row = { what: 'a good client meanwhile', tried: requests, lost: [] }
    for (let count = 0; count < requests; count += 1) {
      const began = performance.now()
      const told = await live.send({ method: 'GET', path: '/healthcheck' }).then(
        ({ status }) => `status ${status}`,
        (error: Error) => error.message,
      )
      if (told !== 'status 200') good.lost.push(told)
      else if (performance.now() - began > patienceSeconds * 1000) good.lost.push('was answered late')
    }
    return [...(await Promise.all(visits)), good]
  } finally {
    await live.close()
  }
}

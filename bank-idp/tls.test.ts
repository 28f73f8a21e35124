import { connect } from 'node:tls'
import { bankForFile } from './testing/banks.js'

const { bank } = await bankForFile()

async function suiteAgreed(suites: string): Promise<string> {
  const { hostname, port } = new URL(bank.issuer)
  const ca = bank.identity.authority.cert
  const socket = connect({ host: hostname, servername: hostname, port: Number(port), ca, ciphers: suites })
  const outcome = new Promise<string>((resolve) => {
    socket.once('secureConnect', () => resolve(socket.getCipher().standardName))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)))
  })
  return outcome.finally(() => socket.destroy())
}

/** As the alert is called by OpenSSL, which names it differently by version. */
const refused = /^ERR_SSL_SSL(V3|\/TLS)_ALERT_HANDSHAKE_FAILURE$/

test('a fault of TLS takes effect when it is switched, on new connections', async () => {
  const suite = 'ECDHE-RSA-CHACHA20-POLY1305'
  expect(await suiteAgreed(suite)).toMatch(refused)
  bank.faults.on('tls/chacha-suite')
  expect(await suiteAgreed(suite)).toBe('TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256')
  bank.faults.off('tls/chacha-suite')
  expect(await suiteAgreed(suite)).toMatch(refused)
})

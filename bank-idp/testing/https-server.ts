import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from '../keys/certificates.js'

export interface TestServer {
  /** https://localhost and the port, without a path. */
  url: string
  /** Cuts what is still connected. */
  close(): Promise<void>
}

/** Serves over https on any free port of the loopback interface. */
export async function serveHttps(certificate: Certificate, listener: RequestListener): Promise<TestServer> {
  const server = createServer(certificate, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}

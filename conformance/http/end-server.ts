import type { Server, Socket } from 'node:net'

/**
 * Takes note of a server's connections from its beginning, so that it can be ended at once whatever they are at: Node's own means know none
 * whose TLS is still being agreed to, and a server that is closed ends none of them later either.
 *
 * @returns ends the server; resolves when nothing is left of it
 */
export function endServer(server: Server): () => Promise<void> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
}

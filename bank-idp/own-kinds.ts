import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * The classes of a server's requests and answers. Express gives each of them the application's prototype, and from then on V8 finds nothing of it
 * where it found it in the one before. Those of these classes have that prototype from the beginning (docs/performance.md).
 */
export class OwnKinds {
  readonly classes = {
    IncomingMessage: class extends IncomingMessage {} as typeof IncomingMessage,
    ServerResponse: class extends ServerResponse {} as typeof ServerResponse,
  }

  /** Has the requests and answers be of this application, and of none before it. */
  fit(app: RequestListener | Express): void {
    if (!('request' in app)) return
    const [request, response] = [this.classes.IncomingMessage.prototype, this.classes.ServerResponse.prototype]
    if (app.request === request) return
    Object.setPrototypeOf(request, app.request)
    Object.setPrototypeOf(response, app.response)
    Object.assign(app, { request, response })
  }
}

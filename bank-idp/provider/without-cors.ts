import type { Provider } from './library.js'

/**
 * The library serves pages of other origins (CORS): it tells everybody that they may read its answers, and refuses a client whose request
 * names an origin. A bank serves the service, which is not a page in a browser: nobody is asked where a request comes from, and no page of
 * another origin may read an answer.
 */
export const withoutCors: Parameters<Provider['use']>[0] = async (ctx, next) => {
  delete ctx.req.headers.origin
  await next()
  for (const name of Object.keys(ctx.response.headers)) if (name.startsWith('access-control-')) ctx.remove(name)
  if (ctx.response.get('vary') === 'Origin') ctx.remove('vary')
}

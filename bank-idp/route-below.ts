/** Tells the path of a request below the bank's address, without its query. */
export function routeBelow(issuer: string): (url: string) => string {
  const base = new URL(issuer).pathname.replace(/\/$/, '')
  return (url) => {
    const [path = '/'] = url.split('?')
    return path.startsWith(base) ? path.slice(base.length) || '/' : path
  }
}

import { type Replaced, type Route, redirect, type TestAnswer, type TestResponse } from './https-server.js'

/** One request is answered with the bank's own answer changed. */
export function changed(name: string, change: (answer: TestResponse) => TestAnswer): Replaced {
  return (own) => {
    const route: Route = async (request) => {
      const answer = await own[name]?.(request)
      return typeof answer === 'object' ? change(answer) : 'cut'
    }
    return { [name]: route }
  }
}

/** The same for its JSON body. */
export function changedBody(name: string, change: (body: Record<string, unknown>) => unknown): Replaced {
  return changed(name, (answer) => ({ ...answer, body: JSON.stringify(change(JSON.parse(answer.body ?? ''))) }))
}

/** The same for where it redirects to. */
export function changedRedirect(name: string, change: (url: URL) => void): Replaced {
  return changed(name, ({ headers }) => {
    const url = new URL(String(headers?.location))
    change(url)
    return redirect(url.href)
  })
}

/** For {@link changedBody}: leaves members out. */
export function without(...names: string[]) {
  return (record: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

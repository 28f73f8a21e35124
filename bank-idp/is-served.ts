/** Whether a method and a path are one of these routes, whose paths may have parameters: `GET /register/x` is `GET /register/:clientId`. */
export function isServed(asked: string, routes: readonly string[]): boolean {
  const parts = asked.split('/')
  return routes.some((route) => {
    const own = route.split('/')
    return (
      own.length === parts.length &&
      own.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
    )
  })
}

import type { Response } from 'express'

/** Sends a page that posts fields to an address by itself. */
export function posting(res: Response, address: string, fields: Record<string, unknown>): void {
  const entries = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  const inputs = entries.map(
    ([name = '', value = '']) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  )
  const noscript = '<noscript><button>Continue</button></noscript>'
  const script = '<script>document.forms[0].submit()</script>'
  // It loads and sends what the bank's other pages may not.
  res.removeHeader('content-security-policy')
  res
    .type('html')
    .send(`<form method="post" action="${escaped(address)}">${inputs.join('')}${noscript}</form>${script}`)
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

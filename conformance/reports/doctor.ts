import { styleText } from 'node:util'
import type { CheckResult } from '../doctor/check.js'

const styles = { good: 'green', bad: 'red', 'not checked': 'gray', 'not reached': 'gray' } as const

/** What one check came to, as lines for people; a bad one with its likely cause and how to fix it. */
export function checkLines(result: CheckResult, { styled }: { styled: boolean }): string {
  const status = result.status.padEnd(11)
  const word = styled ? styleText(styles[result.status], status) : status
  const lines = [`${word} ${result.check.padEnd(20)} ${result.said}`]
  if (result.status === 'bad') {
    const indent = ' '.repeat(33)
    lines.push(`${indent}likely cause: ${result.cause}`, `${indent}fix:          ${result.fix}`)
  }
  return lines.join('\n')
}

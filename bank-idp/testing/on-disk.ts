import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whether a text stands anywhere in the store's files. */
export function isOnDisk(data: string, text = ''): boolean {
  return readdirSync(data).some(
    (name) => name.startsWith('bank.sqlite') && readFileSync(join(data, name)).includes(text),
  )
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validate } from '../../schemas/index.js'
import type { Report } from '../harness/results.js'
import { UsageError } from '../output.js'
import { fileTrouble } from '../target/file-trouble.js'
import { reportFile } from './bundle.js'

/** Reads a report.json. @throws UsageError when it cannot be read, or is none */
export async function readReport(file: string): Promise<Report> {
  const report = reportIn(await textOf(file))
  if (!report) throw new UsageError(`${file} is not a report.json of this version`)
  return report
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const trouble = error as NodeJS.ErrnoException
    const inside = join(file, reportFile)
    const meant = trouble.code === 'EISDIR' && existsSync(inside) ? `; did you mean ${inside}?` : ''
    throw new UsageError(`the report ${file} cannot be read (${fileTrouble(trouble)})${meant}`)
  }
}

/** What its schema takes for times and parts, and what can be reckoned with: a leap second is a date-time, and no date of JavaScript's. */
function canBeReckonedWith({ started, keySet, selection, parts = [] }: Report): boolean {
  const times = [started, keySet.at, ...parts.map((part) => part.started)]
  const shards = [selection.shard ?? '1/1', ...parts.map(({ shard }) => shard)]
  return times.every((time) => !Number.isNaN(Date.parse(time))) && shards.every(isPartOfAll)
}

function isPartOfAll(shard: string): boolean {
  const [part = 0, of = 0] = shard.split('/').map(Number)
  return part <= of
}

/** The report that a text holds, if any. */
export function reportIn(text: string): Report | undefined {
  try {
    const report = JSON.parse(text)
    return validate('report', report).length === 0 && canBeReckonedWith(report) ? report : undefined
  } catch {
    return undefined
  }
}

import { dotted } from '../../schemas/index.js'
import { FileMistakes } from './yaml-file.js'

/** Reads the values of a file further, and gathers what is wrong with them. */
export class FileReading {
  /** What is wrong, by the JSON pointer of the place. */
  readonly mistakes: Map<string, string>
  readonly #file: unknown

  /** @param mistakes known already: what they are about is not read further */
  constructor(file: unknown, mistakes: Map<string, string>) {
    this.#file = file
    this.mistakes = mistakes
  }

  /** The value at a place, right or wrong; undefined where there is none. @param place JSON pointer (RFC 6901) */
  valueAt(place: string): unknown {
    return place
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => (isObject(at) ? Reflect.get(at, name) : undefined), this.#file)
  }

  /** @returns what the value at a place leads to; undefined where there is none, or something is wrong with it */
  read<Value, Found>(place: string, further: (value: Value) => Found): Found | undefined {
    const value = this.valueAt(place)
    if (value === undefined || [...this.mistakes.keys()].some((known) => covers(known, place))) return undefined
    try {
      return further(value as Value)
    } catch (error) {
      const found = error instanceof FileMistakes ? error.mistakes : [error instanceof Error ? error.message : error]
      this.mistakes.set(place, found.map((mistake) => `${dotted(place, 'the whole file')}: ${mistake}`).join('\n'))
      return undefined
    }
  }
}

/** Whether a mistake at `known` makes what is at `place`, or a part of it, unfit to be read further. */
function covers(known: string, place: string): boolean {
  return place === known || place.startsWith(`${known}/`) || known.startsWith(`${place}/`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

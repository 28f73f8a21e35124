import { readdirSync, readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { packageFile } from '../package-file.js'

/** A combination of values, one for each of some dimensions, at which the sentence of a requirement applies. */
export interface Place {
  /** As rules, faults and tests name it: `grant=refresh value=second`, in the order of dimensions.yaml. */
  readonly name: string
  /** Why it cannot be seen from outside, where it cannot. */
  readonly unseen?: string
}

/** The values of each dimension, by its name; `any` allows every word. */
type Dimensions = Readonly<Record<string, readonly string[] | 'any'>>

/** An entry of a requirement in places/*.yaml: a list of values stands for one place each. */
type Entry = { readonly unseen?: string } & Readonly<Record<string, string | readonly string[]>>

/**
 * The places of an edition's requirements, by the requirement's id, from dimensions.yaml and every file in the folder `places`.
 * @throws Error when an entry names a dimension or a value that dimensions.yaml does not have, or a place twice
 */
export function readPlaces(edition: string): ReadonlyMap<string, readonly Place[]> {
  const folder = packageFile(`schemas/editions/${edition}`)
  const dimensions = load(readFileSync(`${folder}/dimensions.yaml`, 'utf8')) as Dimensions
  const places = new Map<string, readonly Place[]>()
  for (const file of readdirSync(`${folder}/places`)) {
    const entries = (load(readFileSync(`${folder}/places/${file}`, 'utf8')) ?? {}) as Record<string, Entry[]>
    for (const [id, ofRequirement] of Object.entries(entries)) {
      const found = [...(places.get(id) ?? []), ...ofRequirement.flatMap((entry) => placesOf(id, entry, dimensions))]
      const twice = found.find(({ name }, i) => found.findIndex((one) => one.name === name) < i)
      if (twice) throw new Error(`places/${file} names '${twice.name}' of ${id} twice.`)
      places.set(id, found)
    }
  }
  return places
}

function placesOf(id: string, { unseen, ...values }: Entry, dimensions: Dimensions): Place[] {
  const unknown = Object.keys(values).find((name) => !(name in dimensions))
  if (unknown !== undefined) throw new Error(`${id}: dimensions.yaml has no dimension '${unknown}'.`)
  const terms = Object.keys(dimensions)
    .filter((name) => name in values)
    .map((name) => [values[name]].flat().map((value) => termOf(id, name, String(value), dimensions)))
  const combinations = terms.reduce<string[][]>(
    (before, choices) => before.flatMap((some) => choices.map((term) => [...some, term])),
    [[]],
  )
  return combinations.map((terms) => ({ name: terms.join(' ') || 'everywhere', ...(unseen && { unseen }) }))
}

function termOf(id: string, dimension: string, value: string, dimensions: Dimensions): string {
  const known = dimensions[dimension]
  if (known !== 'any' && !known?.includes(value))
    throw new Error(`${id}: the dimension '${dimension}' has no value '${value}'; it has ${known?.join(', ')}.`)
  if (/\s/.test(value)) throw new Error(`${id}: '${value}' holds a space, which parts the terms of a place.`)
  return `${dimension}=${value}`
}

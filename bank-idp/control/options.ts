/** A name as it is in TypeScript, of one as it is on the wire. */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** The input of an operation as options in TypeScript: `redirectUris` for `redirect_uris`. What its members hold is as on the wire. */
export type Options<Input> = {
  [Name in keyof Input as Name extends string ? CamelCase<Name> : Name]: Input[Name]
}

/** Options as the members of an input; those that are undefined are left out. Who has no TypeScript may give none at all. */
export function inputOf<Input extends object>(options: Options<Input> | undefined): Input {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined)
  const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(given.map(([name, value]) => [snakeCase(name), value])) as Input
}

/** The name of a member as it is in options: redirectUris for redirect_uris. */
export function optionOf(member: string): string {
  return member.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

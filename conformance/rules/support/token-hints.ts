/** How the hint is spelled: by its name, and as the samples do (AMB-5). */
export const spellings = ['token_type_hint', 'token_type_hin'] as const

/** Hints of a caller who is right, wrong, spells as the samples do (AMB-5), or gives none. */
export const hints: readonly Record<string, string>[] = [
  { token_type_hint: 'access_token' },
  { token_type_hint: 'refresh_token' },
  { token_type_hin: 'access_token' },
  { token_type_hin: 'refresh_token' },
  {},
]

/** Such as "token_type_hint access_token". */
export function hintInWords(form: Readonly<Record<string, string>>): string {
  const [hint] = Object.entries(form)
  return hint ? hint.join(' ') : 'no hint'
}

/** The places of a kind of token at which a hint is given, or none. */
export function placesOfHints(token: string): string[] {
  const spelled = spellings.flatMap((parameter) =>
    ['right', 'wrong'].map((value) => `token=${token} parameter=${parameter} value=${value}`),
  )
  return [...spelled, `token=${token} value=missing`]
}

/** The place at which a hint is none that is known (AMB-56). */
export function placeOfUnknownHint(token: string): string {
  return `token=${token} parameter=token_type_hint value=unknown`
}

/** The errors with which a hint of unknown value may be refused (AMB-56). */
export const codesOfUnknownHints = ['unsupported_token_type', 'invalid_token_type_hint']

import type { Request } from 'express'
import { parseSpaceDelimited } from '../parse-space-delimited.js'

export type Language = 'cs' | 'en'

/** Czech for Czech and Slovak, English for English; undefined for a language that the pages do not have. cs_CZ, as in the claim locale, is cs-CZ. */
function languageOf(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split(/[-_]/)[0]
  if (primary === 'cs' || primary === 'sk') return 'cs'
  return primary === 'en' ? 'en' : undefined
}

/**
 * The language of a page: the first one of ui_locales that the pages have, else what the browser prefers, else English.
 *
 * @param uiLocales language tags in the order of preference, space-separated (OpenID Connect Core section 3.1.2.1)
 */
export function languageFor(uiLocales: string | undefined, req: Request): Language {
  const [requested] = parseSpaceDelimited(uiLocales).flatMap((tag) => languageOf(tag) ?? [])
  if (requested) return requested
  const [preferred] = req.acceptsLanguages().flatMap((tag) => languageOf(tag) ?? [])
  return preferred ?? 'en'
}

/**
 * The language of a page of the signing flow: the first of ui_locales decides, and every language but Czech and Slovak gives English.
 * Specification: "Structured scope objects", the language rule.
 */
export function languageOfFirst(uiLocales: string | undefined): Language | undefined {
  const [first] = parseSpaceDelimited(uiLocales)
  return first === undefined ? undefined : (languageOf(first) ?? 'en')
}

/** The language of a page that stands for itself: ui_locales is a parameter of its own address. */
export function languageAsked(req: Request): Language {
  const { ui_locales: locales } = req.query
  return languageFor(typeof locales === 'string' ? locales : undefined, req)
}

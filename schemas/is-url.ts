/**
 * Whether a text is a URL, alone or against a base (URL standard). In place of URL.canParse, whose compiled form takes Latin letters
 * beyond ASCII for broken UTF-8 on Node 20.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base).href !== ''
  } catch {
    return false
  }
}

/** A text without case and accents. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Tells which texts have every word that is searched for, whatever its case and its accents; without a word, all. */
export function matcher(search: string): (text: string) => boolean {
  const words = plain(search).split(/\s+/).filter(Boolean)
  return (text) => {
    const said = plain(text)
    return words.every((word) => said.includes(word))
  }
}

import { Tokenizer } from 'htmlparser2'

/** Elements that begin a line, and end one. */
const ofLines = new Set('p h1 h2 h3 h4 li label legend button dt dd div title br'.split(' '))

/** Elements of which nobody sees anything. */
const unseen = new Set(['script', 'style', 'template'])

/**
 * What a reader of a page sees, a line for each part. It is told by the tags as they come, which takes as long as the page is long: what a browser
 * would make of it is a tree, of which a page of a few kilobytes can be made that takes seconds.
 */
export function textOfPage(source: string): string {
  const parts: string[] = []
  /** Elements around the text that nobody sees. */
  const around: string[] = []
  const said = (text: string) => {
    if (around.length === 0) parts.push(text)
  }
  const nameAt = (start: number, end: number) => source.slice(start, end).toLowerCase()
  const ignored = () => {}
  let opening = ''
  const close = (name: string) => {
    if (ofLines.has(name)) said('\n')
    if (around.at(-1) === name) around.pop()
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname(start, end) {
        opening = nameAt(start, end)
        if (ofLines.has(opening)) said('\n')
        if (unseen.has(opening)) around.push(opening)
      },
      onselfclosingtag: () => close(opening),
      onclosetag: (start, end) => close(nameAt(start, end)),
      ontext: (start, end) => said(source.slice(start, end)),
      ontextentity: (codepoint) => said(String.fromCodePoint(codepoint)),
      onopentagend: ignored,
      onattribname: ignored,
      onattribdata: ignored,
      onattribentity: ignored,
      onattribend: ignored,
      oncdata: ignored,
      oncomment: ignored,
      ondeclaration: ignored,
      onprocessinginstruction: ignored,
      onend: ignored,
    },
  )
  tokenizer.write(source)
  tokenizer.end()
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

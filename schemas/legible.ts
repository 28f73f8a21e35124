import { type ComponentChildren, cloneElement, type VNode } from 'preact'

/**
 * Characters that show nothing, or show what stands around them otherwise than it is (Unicode UAX 9, UAX 44 Default_Ignorable_Code_Point,
 * UTS 39): formats and their tags, controls but for what a text of several lines has, separators of lines, halves of characters, and
 * blanks that count as letters or symbols.
 */
const invisible = /[\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu

const ofSeveralLines = ['\t', '\n', '\r']

/** Text that somebody wrote, as it is shown: in place of each character that cannot be seen stands its number. */
export function legible(text: string): string {
  return text.replace(invisible, (character) =>
    ofSeveralLines.includes(character)
      ? character
      : `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}

function isElement(node: ComponentChildren): node is VNode<{ children?: ComponentChildren }> {
  return typeof node === 'object' && node !== null && 'props' in node
}

/** What a page shows, with all of its text legible: whoever wrote it. Values that come back with a form are attributes, and stay as they are. */
export function shown(content: ComponentChildren): ComponentChildren {
  if (typeof content === 'string') return legible(content)
  if (Array.isArray(content)) return content.map(shown)
  if (!isElement(content)) return content
  const { type, props } = content
  // A fragment too is a function of what is in it.
  if (typeof type === 'function') return shown((type as (props: object) => ComponentChildren)(props))
  return props.children === undefined ? content : cloneElement(content, {}, shown(props.children))
}

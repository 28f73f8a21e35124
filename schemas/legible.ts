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

/** Whether the text in an element is what comes back with its form. Others have a value of their own, which is an attribute. */
function isValue({ type, props }: VNode<{ children?: ComponentChildren }>): boolean {
  return type === 'textarea' || (type === 'option' && !('value' in props))
}

/** What a page shows, with all of its text legible: whoever wrote it. Values that come back with a form stay as they are. */
export function shown(content: ComponentChildren): ComponentChildren {
  if (typeof content === 'string') return legible(content)
  if (Array.isArray(content)) return content.map(shown)
  if (!isElement(content)) return content
  const { type, props } = content
  // A fragment too is a function of what is in it.
  if (typeof type === 'function') return shown((type as (props: object) => ComponentChildren)(props))
  if (isValue(content)) return content
  return props.children === undefined ? content : cloneElement(content, {}, shown(props.children))
}

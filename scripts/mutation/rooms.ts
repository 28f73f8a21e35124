/** The parts of the bank that are changed, each a folder; ground is what stands beside bank.ts. */
export const rooms = ['endpoints', 'provider', 'signing', 'keys', 'events', 'store', 'pages', 'ground'] as const

export type Room = (typeof rooms)[number]

/** Files of the ground that say how a bank is set up and watched, or which readings it takes: no sentence of the specification is theirs. */
const aside = ['attestations', 'cli', 'config', 'log', 'policy', 'seams', 'settings', 'target-file']

/** The room of a source, by its path from the root of the checkout; of none where no change is tried. */
export function roomOf(file: string): Room | undefined {
  const [program, folder = '', ...rest] = file.split('/')
  if (program !== 'bank-idp') return undefined
  if (rest.length === 0) return aside.includes(folder.replace(/\.tsx?$/, '')) ? undefined : 'ground'
  return rooms.find((room) => room === folder && room !== 'ground')
}

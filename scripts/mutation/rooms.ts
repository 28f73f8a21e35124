/** The parts of the bank that are changed, each a folder; ground is what stands beside bank.ts. */
export const rooms = ['endpoints', 'provider', 'signing', 'keys', 'events', 'store', 'pages', 'ground'] as const

export type Room = (typeof rooms)[number]

/**
 * Files that say how a bank is set up and watched, which readings it takes, or where faults change it: no sentence of the specification is
 * theirs.
 */
const aside = [
  'attestations',
  'bank-interface',
  'cli',
  'config',
  'in-process',
  'log',
  'make-person',
  'next-logins',
  'policy',
  'refusals',
  'running-bank',
  'seams',
  'seeds',
  'settings',
  'storage',
  'target-file',
  'endpoints/headless',
  'endpoints/seams',
  'pages/go-through-pages',
  'store/made-people',
  'store/missing-binary',
]

/** The room of a source, by its path from the root of the checkout; of none where no change is tried. */
export function roomOf(file: string): Room | undefined {
  const [program, ...path] = file.replace(/\.tsx?$/, '').split('/')
  if (program !== 'bank-idp' || aside.includes(path.join('/'))) return undefined
  return path.length === 1 ? 'ground' : rooms.find((room) => room === path[0] && room !== 'ground')
}

import { hostname } from 'node:os'

/** The name of this process among those that use the same store, where it was given none. */
export function ownReplicaName(): string {
  return `${hostname()
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, 40)}-${process.pid}`
}

import type { Conversation } from './conversation.js'

/**
 * Hosts a document as sector_identifier_uri names it, once in a run for the same content: a list of redirect URIs, or what is to be
 * refused in its place. Text is served as it is, all else as JSON.
 * @param status of the answers that carry it
 * @returns its address
 */
export function sectorDocument(conversation: Conversation, content: unknown, status = 200): Promise<string> {
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  return conversation.shared(`sector document ${status} ${body}`, async (own) => {
    const { server } = own.run.service
    if (!server) throw new Error('a rule that hosts a document has to need what is in toRegister')
    const contentType = 'application/json'
    return server.host(`/${own.name()}/sector.json`, { contentType, body, status, evidence: own.evidence })
  })
}

/** A document of sector_identifier_uri at an address of its own, which can come to list others while the bank knows the address. */
export interface OwnSectorDocument {
  url: string
  list(redirectUris: readonly string[]): void
}

/** Hosts such a document; each time that it is fetched is evidence. */
export function ownSectorDocument(conversation: Conversation, redirectUris: readonly string[]): OwnSectorDocument {
  const { server } = conversation.run.service
  if (!server) throw new Error('a rule that hosts a document has to need what is in toRegister')
  const path = `/${conversation.name()}/sector.json`
  const { evidence } = conversation
  const put = (listed: readonly string[]) =>
    server.host(path, { contentType: 'application/json', body: JSON.stringify(listed), evidence })
  return {
    url: put(redirectUris),
    list: (listed) => {
      put(listed)
    },
  }
}

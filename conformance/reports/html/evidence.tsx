import type { Evidence, Exchange } from '../../evidence/evidence.js'
import type { Sources } from './sources.js'

/** What was sent, received, opened or seen, folded; pages as text, with a link to their source. */
export function EvidenceView({ item, sources }: { item: Evidence; sources: Sources }) {
  const source = sourceOf(item)
  return (
    <details class="evidence">
      <summary>{titleOf(item)}</summary>
      {item.kind === 'page' && item.screenshot && (
        <img src={`data:image/jpeg;base64,${item.screenshot}`} alt={`The page at ${item.url}`} />
      )}
      <pre>{textOf(item, source === undefined ? undefined : sources.textOf(source))}</pre>
      {source !== undefined && <a href={`#${sources.anchorOf(source)}`}>Source of the page</a>}
    </details>
  )
}

function titleOf(item: Evidence): string {
  switch (item.kind) {
    case 'exchange': {
      const { request, response, changed } = item
      const what = `${request.method} ${withoutQuery(request.url)}, ${response?.status ?? 'no answer'}`
      return changed ? `Request ${item.id} with another ${changed.join(', ')}: ${what}` : `Exchange ${item.id}: ${what}`
    }
    case 'opened':
      return `Opened ${item.id}: ${item.what}`
    case 'handshakes':
      return `Handshakes ${item.id}: ${item.address}`
    case 'page':
      return `Page ${item.id}: ${withoutQuery(item.url)}`
  }
}

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '')

/** The HTML of an item, if it has one. */
function sourceOf(item: Evidence): string | undefined {
  if (item.kind === 'page') return item.source
  if (item.kind !== 'exchange') return undefined
  const { response } = item
  return String(response?.headers['content-type']).startsWith('text/html') ? response?.body : undefined
}

/** @param page the text of its page */
function textOf(item: Evidence, page: string | undefined): string {
  if (item.kind === 'exchange') return exchangeText(item, page)
  if (item.kind === 'page') return `${item.url}\n\n${page ?? ''}`
  const { id: _, kind: __, at: ___, ...told } = item
  return JSON.stringify(told, null, 2)
}

function exchangeText({ request, response, failure }: Exchange, page: string | undefined): string {
  const message = (first: string, headers: Exchange['request']['headers'], body?: string) => [
    first,
    ...Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`)),
    ...(body === undefined ? [] : ['', body]),
  ]
  return [
    ...message(`${request.method} ${request.url}`, request.headers, request.body),
    '',
    ...(response ? message(String(response.status), response.headers, page ?? response.body) : []),
    ...(failure === undefined ? [] : [failure]),
  ].join('\n')
}

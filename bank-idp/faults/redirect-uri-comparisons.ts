import { notedRecords, type Records, recordsOfClients } from './client-memory.js'
import type { Deviation } from './fault.js'
import { type FaultRow, rememberingFaultsOf } from './fault-table.js'

const route = 'GET /auth'

/** A way to compare redirect_uri that lets more pass than what equals a registered one. */
interface Comparison extends FaultRow {
  takes: (given: string, registered: string) => boolean
}

/** Whether two addresses are the same once both were changed. */
function sameBut(change: (uri: URL) => void) {
  return (given: string, registered: string): boolean => {
    if (!URL.canParse(given)) return false
    const [one, other] = [new URL(given), new URL(registered)]
    change(one)
    change(other)
    return one.href === other.href
  }
}

const withoutQuery = (uri: string) => uri.replace(/\?.*/, '')
const sortedQuery = (uri: URL) => uri.searchParams.sort()
const hostOf = (uri: string) => (URL.canParse(uri) ? new URL(uri).hostname : '')

/** Same path, same scheme: which hosts are taken for the registered one. */
function byHost(takes: (given: string, registered: string) => boolean) {
  return (given: string, registered: string): boolean =>
    URL.canParse(given) &&
    new URL(given).pathname === new URL(registered).pathname &&
    hostOf(given) !== hostOf(registered) &&
    takes(hostOf(given), hostOf(registered))
}

const comparisons: readonly Comparison[] = [
  {
    id: 'authorization/redirect-uri-by-folder',
    requirement: 'AUTH-3',
    places: ['member=path value=wrong'],
    title: 'Takes a redirect_uri in the same folder as the registered one',
    takes: sameBut((uri) => {
      uri.pathname = uri.pathname.replace(/[^/]*$/, '')
    }),
  },
  {
    id: 'authorization/redirect-uri-by-prefix',
    requirement: 'AUTH-3',
    places: ['member=path value=superset'],
    title: 'Takes a redirect_uri whose path goes on where the registered one ends',
    takes: (given, registered) => given.startsWith(registered) && /^[^?#/]/.test(given.slice(registered.length)),
  },
  {
    id: 'authorization/redirect-uri-cut-short',
    requirement: 'AUTH-3',
    places: ['member=path value=prefix'],
    title: 'Takes a redirect_uri with which the registered one begins',
    takes: (given, registered) => given.startsWith('https:') && registered.startsWith(given),
    collateral: { 'registration/change-holds': 'the address of before begins the one that replaced it' },
  },
  {
    id: 'authorization/redirect-uri-by-pattern',
    requirement: 'AUTH-3',
    places: ['member=pattern'],
    title: 'Takes an asterisk at the end of a registered redirect URI for whatever follows',
    takes: (given, registered) => registered.endsWith('*') && given.startsWith(registered.slice(0, -1)),
  },
  {
    id: 'authorization/redirect-uri-as-pattern',
    requirement: 'AUTH-3',
    places: ['member=pattern value=wrong'],
    title: 'Takes a registered redirect URI for a pattern, in which a dot stands for any sign',
    takes: (given, registered) => given !== registered && new RegExp(`^${registered}$`).test(given),
  },
  {
    id: 'authorization/redirect-uri-whatever-case',
    requirement: 'AUTH-3',
    places: ['member=path value=upper-case'],
    title: 'Compares the path of redirect_uri without regard to case',
    takes: sameBut((uri) => {
      uri.pathname = uri.pathname.toLowerCase()
    }),
  },
  {
    id: 'authorization/redirect-uri-decoded',
    requirement: 'AUTH-3',
    places: ['member=path value=encoded'],
    title: 'Decodes redirect_uri before it compares',
    takes: (given, registered) => given.includes('%') && decodeURIComponent(given) === registered,
  },
  {
    id: 'authorization/redirect-uri-trailing-slash',
    requirement: 'AUTH-3',
    places: ['member=trailing-slash'],
    title: 'Takes a redirect_uri with a trailing slash for the same without',
    takes: (given, registered) => given === `${registered}/`,
  },
  {
    id: 'authorization/redirect-uri-dots-resolved',
    requirement: 'AUTH-3',
    places: ['member=dot-segments'],
    title: 'Resolves dot segments of redirect_uri before it compares',
    takes: (given, registered) => given.includes('/../') && sameBut(() => {})(given, registered),
  },
  {
    id: 'authorization/redirect-uri-fragment-dropped',
    requirement: 'AUTH-3',
    places: ['member=fragment'],
    title: 'Leaves the fragment of redirect_uri out of the comparison',
    takes: (given, registered) => given.startsWith(`${registered}#`),
  },
  {
    id: 'authorization/redirect-uri-any-port',
    requirement: 'AUTH-3',
    places: ['member=port'],
    title: 'Leaves the port of redirect_uri out of the comparison',
    takes: sameBut((uri) => {
      uri.port = ''
    }),
  },
  {
    id: 'authorization/redirect-uri-any-scheme',
    requirement: 'AUTH-3',
    places: ['member=scheme'],
    title: 'Takes a redirect_uri of http for the one of https',
    takes: (given, registered) => given.replace(/^http:/, 'https:') === registered,
  },
  {
    id: 'authorization/redirect-uri-user-dropped',
    requirement: 'AUTH-3',
    places: ['member=userinfo'],
    title: 'Leaves user information in redirect_uri out of the comparison',
    takes: sameBut((uri) => {
      uri.username = ''
    }),
  },
  {
    id: 'authorization/redirect-uri-any-host',
    requirement: 'AUTH-3',
    places: ['member=host value=wrong'],
    title: 'Compares the path of redirect_uri alone',
    takes: byHost(() => true),
  },
  {
    id: 'authorization/redirect-uri-host-by-prefix',
    requirement: 'AUTH-3',
    places: ['member=host value=superset'],
    title: 'Takes a redirect_uri whose host begins as the registered one',
    takes: byHost((given, registered) => given.startsWith(registered)),
  },
  {
    id: 'authorization/redirect-uri-host-by-suffix',
    requirement: 'AUTH-3',
    places: ['member=host value=suffix'],
    title: 'Takes a redirect_uri whose host ends as the registered one',
    takes: byHost((given, registered) => given.endsWith(registered)),
  },
  {
    id: 'authorization/redirect-uri-host-whatever-case',
    requirement: 'AUTH-3',
    places: ['member=host value=upper-case'],
    title: 'Compares the host of redirect_uri without regard to case',
    takes: (given, registered) => /^https:\/\/[^a-z]+\//.test(given) && sameBut(() => {})(given, registered),
  },
  {
    id: 'authorization/redirect-uri-query-added',
    requirement: 'AUTH-3',
    places: ['member=query value=superset'],
    title: 'Takes a redirect_uri with a query for the registered one without',
    takes: (given, registered) => given.startsWith(`${registered}?`),
  },
  {
    id: 'authorization/redirect-uri-query-left-out',
    requirement: 'AUTH-3',
    places: ['member=query value=missing'],
    title: 'Takes a redirect_uri without the query that it was registered with',
    takes: (given, registered) => registered.startsWith(`${given}?`),
  },
  {
    id: 'authorization/redirect-uri-any-query',
    requirement: 'AUTH-3',
    places: ['member=query value=wrong'],
    title: 'Leaves the values in the query of redirect_uri out of the comparison',
    takes: (given, registered) =>
      given.includes('?') && registered.includes('?') && withoutQuery(given) === withoutQuery(registered),
  },
  {
    id: 'authorization/redirect-uri-query-reordered',
    requirement: 'AUTH-3',
    places: ['member=query value=reordered'],
    title: 'Compares the query of redirect_uri whatever its order',
    takes: (given, registered) => given.includes('?') && sameBut(sortedQuery)(given, registered),
  },
  {
    id: 'authorization/redirect-uri-subdomain',
    requirement: 'AUTH-3',
    places: ['member=subdomain'],
    title: 'Takes a redirect_uri whose host is below the registered one',
    takes: byHost((given, registered) => given.endsWith(`.${registered}`)),
  },
  {
    id: 'authorization/redirect-uri-origin-by-prefix',
    requirement: 'AUTH-3',
    places: ['member=host-as-user'],
    title: 'Takes a redirect_uri that begins with the registered scheme and host, whatever they are part of',
    takes: (given, registered) => given.startsWith(`${new URL(registered).origin}@`),
  },
  {
    id: 'authorization/redirect-uri-scheme-whatever-case',
    requirement: 'AUTH-3',
    places: ['member=scheme-case'],
    title: 'Compares the scheme of redirect_uri without regard to case',
    takes: (given, registered) => given.replace(/^https/i, 'https') === registered,
  },
  {
    id: 'authorization/redirect-uri-slashes-joined',
    requirement: 'AUTH-3',
    places: ['member=double-slash'],
    title: 'Takes several slashes in redirect_uri for one',
    takes: (given, registered) => given.replaceAll(/(?<=[^:/])\/+/g, '/') === registered,
  },
  {
    id: 'authorization/redirect-uri-backslash',
    requirement: 'AUTH-3',
    places: ['member=backslash'],
    title: 'Takes a backslash in redirect_uri for a slash, as browsers do',
    takes: (given, registered) => given.replaceAll('\\', '/') === registered,
  },
  {
    id: 'authorization/redirect-uri-path-parameter-dropped',
    requirement: 'AUTH-3',
    places: ['member=path-parameter'],
    title: 'Leaves path parameters of redirect_uri out of the comparison',
    takes: (given, registered) => given.replace(/;.*/, '') === registered,
  },
  {
    id: 'authorization/redirect-uri-trimmed',
    requirement: 'AUTH-3',
    places: ['member=space'],
    title: 'Leaves spaces around redirect_uri out of the comparison',
    takes: (given, registered) => given.trim() === registered,
  },
  {
    id: 'authorization/redirect-uri-slashes-decoded',
    requirement: 'AUTH-3',
    places: ['member=encoded-slash'],
    title: 'Decodes slashes of redirect_uri before it compares',
    takes: (given, registered) => given.replaceAll(/%2f/gi, '/') === registered,
  },
  {
    id: 'authorization/redirect-uri-contained',
    requirement: 'AUTH-3',
    places: ['member=contained'],
    title: 'Takes a redirect_uri that ends with the registered one',
    takes: (given, registered) => given.endsWith(registered),
  },
  {
    id: 'authorization/redirect-uri-campaign-dropped',
    requirement: 'AUTH-3',
    places: ['member=campaign'],
    title: 'Leaves what advertisements add to a query out of the comparison of redirect_uri',
    takes: (given, registered) => given.replaceAll(/[?&]utm_\w+=[^&]*/g, '') === registered,
  },
  ...[
    { end: '?', place: 'member=question-mark', what: 'an empty query' },
    { end: '#', place: 'member=number-sign', what: 'an empty fragment' },
  ].map(({ end, place, what }) => ({
    id: `authorization/redirect-uri-${what.replaceAll(' ', '-').replace('an-', '')}`,
    requirement: 'AUTH-3',
    places: [place],
    title: `Takes a redirect_uri with ${what} for the same without`,
    takes: (given: string, registered: string) => given === `${registered}${end}`,
  })),
]

/** For `request`: puts the registered address in place of one that is taken for it. */
export function takenFor(
  meant: (given: string, own: readonly string[], records: Records) => string | undefined,
): NonNullable<Deviation<Records>['request']> {
  return {
    [route](parameters, _bank, records) {
      const given = parameters.get('redirect_uri')
      const own = records.get(parameters.get('client_id') ?? '')?.redirect_uris ?? []
      if (given === null || own.includes(given)) return
      const registered = meant(given, own, records)
      if (registered !== undefined) parameters.set('redirect_uri', registered)
    },
  }
}

export const redirectUriComparisonFaults = rememberingFaultsOf(comparisons, recordsOfClients, ({ takes }) => ({
  response: notedRecords,
  request: takenFor((given, own) => own.find((registered) => takes(given, registered))),
}))

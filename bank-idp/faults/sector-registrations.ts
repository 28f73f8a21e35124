import { Latest } from '../latest.js'
import { type Fault, fault } from './fault.js'

/** Which redirect URIs, and which documents of sector_identifier_uri, a bank registers. */
export const sectorRegistrationFaults: readonly Fault[] = [
  ...(
    [
      ['below', 'host below another', (one: string, other: string) => one.endsWith(`.${other}`)],
      ['beginning-alike', 'host that begins as another does', (one: string, other: string) => one.startsWith(other)],
    ] as const
  ).map(([slug, what, same]) =>
    fault({
      id: `subjects/several-hosts-${slug}`,
      breaks: ['SUB-4'],
      places: ['POST', 'PUT'].map((method) => `method=${method} value=superset`),
      title: `Takes a ${what} for the same`,
      judgedRecord: {
        redirect_uris(uris, { record }) {
          const given = Array.isArray(uris) ? uris.map(String) : []
          if (record.sector_identifier_uri !== undefined || !given.every((uri) => URL.canParse(uri))) return uris
          const hosts = given.map((uri) => new URL(uri).hostname)
          return given.filter((_uri, i) => !hosts.some((host) => host !== hosts[i] && same(hosts[i] ?? '', host)))
        },
      },
    }),
  ),
  fault({
    id: 'subjects/tokens-outlive-sector',
    breaks: ['SUB-7'],
    places: ['use=after-put member=sector_identifier_uri'],
    title: 'Tells of tokens of before a PUT the sub of the sector that it names',
    clients: { replace: (record, { store, clientId }) => store.replace(clientId, record) },
  }),
  ...(['POST', 'PUT'] as const).map((by) =>
    fault({
      id: `subjects/sector-document-as-first-read-${by.toLowerCase()}`,
      breaks: ['SUB-6'],
      places: [`method=${by} use=after-change`],
      title: `Takes what the first client of a sector_identifier_uri registered for all that it lists, where a ${by} names another`,
      memory: () => new Latest<readonly unknown[]>(10_000),
      judgedRecord: {
        redirect_uris(uris, { method, record }, listed) {
          const sector = record.sector_identifier_uri
          if (typeof sector !== 'string' || !Array.isArray(uris)) return uris
          const known = listed.get(sector) ?? uris
          listed.set(sector, known)
          return method === by ? uris.map((uri) => (known.includes(uri) ? uri : `${uri}/unlisted`)) : uris
        },
      },
    }),
  ),
  fault({
    id: 'subjects/ports-as-hosts',
    breaks: ['SUB-4'],
    places: ['member=port'],
    title: 'Takes redirect URIs on several ports of one host for ones on several hosts',
    judgedRecord: {
      redirect_uris: (uris, { record }) => {
        if (!Array.isArray(uris) || record.sector_identifier_uri !== undefined) return uris
        return uris.map((uri) => String(uri).replace(/^(https:\/\/[^/:]+):(\d+)/, '$1.of-port-$2'))
      },
    },
  }),
  fault({
    id: 'subjects/several-hosts-never',
    breaks: ['SUB-4'],
    places: ['value=right'],
    title: 'Refuses redirect URIs on several hosts, whatever sector_identifier_uri there is',
    judgedRecord: {
      sector_identifier_uri: (uri, { record }) => {
        const uris = Array.isArray(record.redirect_uris) ? record.redirect_uris.map(String) : []
        const hosts = new Set(uris.filter((one) => URL.canParse(one)).map((one) => new URL(one).hostname))
        return hosts.size > 1 ? undefined : uri
      },
    },
  }),
  ...(['POST', 'PUT'] as const).flatMap((by) => [
    fault({
      id: `subjects/listed-without-query-${by.toLowerCase()}`,
      breaks: ['SUB-5'],
      places: [`method=${by} member=query`],
      title: `Looks up redirect URIs with a query by ${by} in no document of a sector`,
      judgedRecord: {
        sector_identifier_uri: (uri, { record, method }) => {
          const isAsked = [record.redirect_uris ?? []].flat().some((one) => String(one).includes('?'))
          return isAsked && method === by ? undefined : uri
        },
      },
    }),
  ]),
  fault({
    id: 'subjects/several-hosts-taken',
    breaks: ['SUB-4'],
    places: ['method=POST value=both'],
    title: 'Takes redirect URIs on several hosts without sector_identifier_uri',
    without: ['registration/one-sector'],
  }),
  fault({
    id: 'subjects/sector-of-replaced-record-seen',
    breaks: ['SUB-4'],
    places: ['method=PUT use=after-put'],
    title: 'Goes by the sector_identifier_uri that was replaced where a PUT of redirect URIs on several hosts has none',
    judgedRecord: { sector_identifier_uri: (value, { replaced }) => value ?? replaced?.sector_identifier_uri },
  }),
  fault({
    id: 'subjects/several-hosts-by-default-taken',
    breaks: ['SUB-4'],
    places: ['method=POST value=missing'],
    title: 'Takes redirect URIs on several hosts without sector_identifier_uri where the record names no subject_type',
    judgedRecord: { subject_type: (given) => given ?? 'public' },
  }),
  fault({
    id: 'subjects/unlisted-redirect-taken',
    breaks: ['SUB-5'],
    places: ['wrong', 'last', 'prefix', 'superset'].map((value) => `method=POST value=${value}`),
    title: 'Reads the document at sector_identifier_uri but does not look for the redirect URIs in it',
    without: ['registration/sector-lists-redirects'],
  }),
  fault({
    id: 'subjects/unreadable-sector-taken',
    breaks: ['SUB-11'],
    places: ['method=POST value=missing', 'method=POST value=other-type'],
    title: 'Takes a sector_identifier_uri that cannot be read',
    without: ['registration/sector-document'],
  }),
  ...(
    [
      [
        'several-hosts',
        'SUB-4',
        'one-sector',
        'redirect URIs on several hosts without sector_identifier_uri',
        ['both'],
      ],
      [
        'unlisted-redirect',
        'SUB-5',
        'sector-lists-redirects',
        'a redirect URI that is not listed',
        ['wrong', 'last', 'prefix', 'superset'],
      ],
      [
        'unreadable-sector',
        'SUB-11',
        'sector-document',
        'a sector_identifier_uri that cannot be read',
        ['missing', 'other-type'],
      ],
    ] as const
  ).map(([slug, requirement, check, what, values]) =>
    fault({
      id: `subjects/${slug}-put`,
      breaks: [requirement],
      places: values.map((value) => `method=PUT value=${value}`),
      title: `Takes ${what} by PUT`,
      without: [`registration/${check} at PUT`],
    }),
  ),
  fault({
    id: 'subjects/two-hosts-compared',
    breaks: ['SUB-4'],
    places: ['method=POST value=last', 'method=PUT value=last'],
    title: 'Looks at the hosts of the first two redirect URIs, and at no other',
    judgedRecord: { redirect_uris: (value) => (Array.isArray(value) ? value.slice(0, 2) : value) },
  }),
]

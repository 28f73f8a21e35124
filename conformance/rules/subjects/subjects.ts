import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { answerTo, expectBadRequest } from '../support/refusals.js'

/** Redirect URIs on hosts of their own; nobody has to be there, since no redirect to them is followed. */
const first = 'https://first.conformance.example/callback'
const second = 'https://second.conformance.example/callback'

/** To log in at clients of several sectors, which have to be registered. */
const toCompare = [...toRegister, ...toLogIn]

/** The sub of a person at the client with these changes of the default record. */
async function subAt(bank: Bank, clientMetadata: Metadata, person = 'full'): Promise<string> {
  return bank.subjectInUserinfo(await bank.token({ clientMetadata, person, scope: 'openid' }))
}

export const bySector = rule({
  id: 'subjects/by-sector',
  requirement: 'SUB-1',
  title: 'A pairwise subject differs from sector to sector',
  needs: toCompare,
  async check({ bank, expect, reading }) {
    const [here, there] = [
      await subAt(bank, { redirect_uris: [first] }),
      await subAt(bank, { redirect_uris: [second] }),
    ]
    expect(there, 'sub of a person at a client of another sector').toDiffer(
      here,
      'that of the same person at the first',
    )
    const unsaid = await subAt(bank, { redirect_uris: [first], subject_type: undefined })
    reading('AMB-40', unsaid === here ? 'pairwise-by-default' : 'public-by-default')
  },
})

export const sectorIdentifierHost = rule({
  id: 'subjects/sector-identifier-host',
  requirement: 'SUB-2',
  title: 'With sector_identifier_uri its host is the sector, whatever the host of the redirect URI',
  needs: toCompare,
  async check({ bank, expect }) {
    const sector = await bank.sectorDocument([first])
    const named = await subAt(bank, { redirect_uris: [first], sector_identifier_uri: sector })
    const onThatHost = await subAt(bank, { redirect_uris: [new URL('/callback', sector).href] })
    expect(named, `the sub at a client of sector ${new URL(sector).hostname}`).toBe(onThatHost)
  },
})

export const redirectHost = rule({
  id: 'subjects/redirect-host',
  requirement: 'SUB-3',
  title: 'Without sector_identifier_uri two clients on one host get the same sub',
  needs: toCompare,
  async check({ bank, expect }) {
    const one = await subAt(bank, { redirect_uris: [first] })
    const other = await subAt(bank, { redirect_uris: [`${first}/of-another`] })
    expect(other, 'the sub at another client on the same host').toBe(one)
  },
})

export const severalHosts = rule({
  id: 'subjects/several-hosts',
  requirement: 'SUB-4',
  title: 'Redirect URIs on several hosts need a sector_identifier_uri when subjects are pairwise',
  needs: toRegister,
  async check({ bank, expect }) {
    const redirects = { redirect_uris: [first, second], subject_type: 'pairwise' }
    const sector_identifier_uri = await bank.sectorDocument([first, second])
    await bank.client({ ...redirects, sector_identifier_uri })
    expectBadRequest(expect, await answerTo(bank, redirects))
  },
})

export const unlistedRedirect = rule({
  id: 'subjects/unlisted-redirect',
  requirement: 'SUB-5',
  title: 'A redirect URI that its sector_identifier_uri does not list is refused',
  needs: toRegister,
  async check({ bank, expect, reading }) {
    const sector_identifier_uri = await bank.sectorDocument([second])
    const answer = await answerTo(bank, { redirect_uris: [first], sector_identifier_uri })
    if (answer.status < 300) return reading('AMB-41', 'host-only')
    expectBadRequest(expect, answer)
    reading('AMB-41', 'fetched')
  },
})

export const sharedSector = rule({
  id: 'subjects/shared-sector',
  requirement: 'SUB-6',
  title: 'Clients that share a sector_identifier_uri get the same sub',
  needs: toCompare,
  async check({ bank, expect }) {
    const sector_identifier_uri = await bank.sectorDocument([first, second])
    const one = await subAt(bank, { redirect_uris: [first], sector_identifier_uri })
    const other = await subAt(bank, { redirect_uris: [second], sector_identifier_uri })
    expect(other, 'the sub at another client of the same sector_identifier_uri').toBe(one)
  },
})

export const sameEverywhere = rule({
  id: 'subjects/same-everywhere',
  requirement: 'SUB-7',
  title: 'sub is the same in id_token, userinfo, profile and introspection, and at each login',
  needs: toLogIn,
  async check({ bank, expect }) {
    const login = await bank.token()
    const sub = await bank.subjectInUserinfo(login)
    for (const [source, found] of Object.entries(await bank.subjects(login))) {
      expect(found, `sub in ${source}, which is ${JSON.stringify(sub)} in userinfo`, login.response).toBe(sub)
    }
    expect(await bank.subjectInUserinfo(await bank.token.fresh()), 'sub after another login').toBe(sub)
  },
})

export const publicSubject = rule({
  id: 'subjects/public',
  requirement: 'SUB-8',
  title: 'A public subject does not depend on the sector',
  needs: toCompare,
  async check({ bank, expect, reading }) {
    const subject_type = 'public'
    if (!(await bank.discovery()).declared('subject_types_supported')?.includes(subject_type)) {
      expectBadRequest(expect, await answerTo(bank, { subject_type }))
      return reading('AMB-40', 'public-refused')
    }
    const one = await subAt(bank, { redirect_uris: [first], subject_type })
    const other = await subAt(bank, { redirect_uris: [second], subject_type })
    expect(other, 'the public sub at a client of another sector').toBe(one)
  },
})

export const byPerson = rule({
  id: 'subjects/by-person',
  requirement: 'SUB-9',
  title: 'Two people have different subs at one client',
  needs: [...toLogIn, 'person:second'],
  async check({ bank, expect }) {
    const [one, other] = [await subAt(bank, {}), await subAt(bank, {}, 'second')]
    expect(other, 'sub of another person at the same client').toDiffer(one, 'that of the first person')
  },
})

export const hostAlone = rule({
  id: 'subjects/host-alone',
  requirement: 'SUB-10',
  title: 'Two sector_identifier_uri that differ in path alone are one sector',
  needs: toCompare,
  async check({ bank, expect }) {
    const sectors = [await bank.sectorDocument([first]), await bank.sectorDocument([first, second])]
    const [one, other] = await Promise.all(
      sectors.map((sector_identifier_uri) => subAt(bank, { redirect_uris: [first], sector_identifier_uri })),
    )
    expect(other, 'the sub with a sector_identifier_uri of another path').toBe(one)
  },
})

export const unreadableSector = rule({
  id: 'subjects/unreadable-sector',
  requirement: 'SUB-11',
  title: 'A sector_identifier_uri that cannot be read, or is not a JSON array of strings, is refused',
  needs: toRegister,
  async check({ bank, expect, inVariation, reading }) {
    const good = await bank.sectorDocument([first])
    const documents = {
      'no document': `${good}.missing`,
      'an HTML document': await bank.sectorDocument('<!doctype html><title>Sector</title>'),
      'an object': await bank.sectorDocument({ redirect_uris: [first] }),
      'an array with a number': await bank.sectorDocument([first, 42]),
    }
    for (const [what, sector_identifier_uri] of Object.entries(documents)) {
      const answer = await answerTo(bank, { redirect_uris: [first], sector_identifier_uri })
      if (answer.status < 300) return reading('AMB-41', 'host-only')
      await inVariation(`${what} at sector_identifier_uri`, async () => expectBadRequest(expect, answer))
    }
    reading('AMB-41', 'fetched')
  },
})

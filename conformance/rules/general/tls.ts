import { rule } from '../../harness/rule.js'
import { agreed, allSuites, otherSuites, permittedSuites, unnamedSuites } from '../../http/tls.js'

const permitted: readonly string[] = Object.values(permittedSuites)

/** Of the issuer, and of the address that asks for a client certificate. */
const hosts = ['issuer', 'mutual_tls'].map((host) => `host=${host}`)

export const permittedSuitesOnly = rule({
  id: 'tls/permitted-suites-only',
  requirement: 'TLS-1',
  places: [...hosts, 'value=unknown'],
  title: 'Of TLS 1.2 no suite but the four permitted ones is accepted, at any host of the bank',
  async check({ bank, expect, inVariation, reading }) {
    const offers = [...otherSuites, unnamedSuites].map((suites) => ({ version: 'TLSv1.2', suites }) as const)
    const newer = {
      version: 'TLSv1.3',
      suites: 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256',
    } as const
    const ofNewer: string[] = []
    for (const address of bank.hosts()) {
      await inVariation(`at ${address}`, async () => {
        const handshakes = await bank.handshakes(offers, address)
        expect(agreed(handshakes), 'what the bank accepts beyond the permitted suites').toEqual([])
      })
      ofNewer.push(...agreed(await bank.handshakes([newer], address)))
    }
    reading('AMB-25', ofNewer.length === 0 ? 'tls12-only' : 'tls13-too')
  },
})

export const noOlderVersion = rule({
  id: 'tls/no-older-version',
  requirement: 'TLS-2',
  places: [...hosts, 'value=first'],
  title: 'TLS 1.0 and TLS 1.1 are refused, at any host of the bank',
  async check({ bank, expect, inVariation, note, skip }) {
    const versions = ['TLSv1', 'TLSv1.1'] as const
    const offers = versions.map((version) => ({ version, suites: allSuites }))
    const missing = new Set<string>()
    for (const address of bank.hosts()) {
      await inVariation(`at ${address}`, async () => {
        const handshakes = await bank.handshakes(offers, address)
        expect(agreed(handshakes), 'what the bank accepts below TLS 1.2').toEqual([])
        for (const { outcome, offer } of handshakes) if (outcome === 'not offered') missing.add(offer.version)
      })
    }
    if (missing.size === versions.length) return skip('the local TLS library offers no version below TLS 1.2')
    if (missing.size > 0) note(`the local TLS library cannot offer ${[...missing].join(', ')}`)
  },
})

export const permittedSuiteAgreed = rule({
  id: 'tls/permitted-suite',
  requirement: 'TLS-3',
  places: hosts,
  title: 'A client that offers all it has agrees with the bank on a permitted suite, at any host of the bank',
  async check({ bank, expect, inVariation, note }) {
    const names = Object.keys(permittedSuites)
    const offers = [allSuites, ...names].map((suites) => ({ version: 'TLSv1.2', suites }) as const)
    for (const address of bank.hosts()) {
      await inVariation(`at ${address}`, async () => {
        const [all, ...each] = await bank.handshakes(offers, address)
        const accepted = each.flatMap(({ suite }) => suite ?? [])
        expect(accepted, 'the permitted suites that the bank accepts').toBeFilledArray()
        expect<unknown>(all?.suite, 'the suite agreed on of all that a client has').toBeOneOf(permitted)
        note(`accepted: ${accepted.join(', ')}`)
      })
    }
  },
})

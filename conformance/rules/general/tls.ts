import { rule } from '../../harness/rule.js'
import { agreed, allSuites, otherSuites, permittedSuites, unnamedSuites } from '../../http/tls.js'

const permitted: readonly string[] = Object.values(permittedSuites)

export const permittedSuitesOnly = rule({
  id: 'tls/permitted-suites-only',
  requirement: 'TLS-1',
  title: 'Of TLS 1.2 no suite but the four permitted ones is accepted',
  async check({ bank, expect, reading }) {
    const offers = [...otherSuites, unnamedSuites].map((suites) => ({ version: 'TLSv1.2', suites }) as const)
    expect(agreed(await bank.handshakes(offers)), 'what the bank accepts beyond the permitted suites').toEqual([])
    const newer = await bank.handshakes([
      { version: 'TLSv1.3', suites: 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256' },
    ])
    reading('AMB-25', agreed(newer).length === 0 ? 'tls12-only' : 'tls13-too')
  },
})

export const noOlderVersion = rule({
  id: 'tls/no-older-version',
  requirement: 'TLS-2',
  title: 'TLS 1.0 and TLS 1.1 are refused',
  async check({ bank, expect, note, skip }) {
    const versions = ['TLSv1', 'TLSv1.1'] as const
    const handshakes = await bank.handshakes(versions.map((version) => ({ version, suites: allSuites })))
    expect(agreed(handshakes), 'what the bank accepts below TLS 1.2').toEqual([])
    const missing = handshakes.filter(({ outcome }) => outcome === 'not offered').map(({ offer }) => offer.version)
    if (missing.length === versions.length) return skip('the local TLS library offers no version below TLS 1.2')
    if (missing.length > 0) note(`the local TLS library cannot offer ${missing.join(', ')}`)
  },
})

export const permittedSuiteAgreed = rule({
  id: 'tls/permitted-suite',
  requirement: 'TLS-3',
  title: 'A client that offers all it has agrees with the bank on a permitted suite',
  async check({ bank, expect, note }) {
    const names = Object.keys(permittedSuites)
    const [all, ...each] = await bank.handshakes(
      [allSuites, ...names].map((suites) => ({ version: 'TLSv1.2', suites }) as const),
    )
    const accepted = each.flatMap(({ suite }) => suite ?? [])
    expect(accepted, 'the permitted suites that the bank accepts').toBeFilledArray()
    expect<unknown>(all?.suite, 'the suite agreed on of all that a client has').toBeOneOf(permitted)
    note(`accepted: ${accepted.join(', ')}`)
  },
})

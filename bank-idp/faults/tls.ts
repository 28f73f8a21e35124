import { fault } from './fault.js'

/** Suites of TLS 1.2 that are in wide use and not permitted. */
const gcmWithoutForwardSecrecy = 'AES256-GCM-SHA384'
const chacha = 'ECDHE-RSA-CHACHA20-POLY1305'
const cbc = 'ECDHE-RSA-AES128-SHA'

export const tlsFaults = [
  fault({
    id: 'tls/chacha-suite',
    breaks: ['TLS-1'],
    places: ['host=issuer'],
    title: 'Accepts a fifth suite, ECDHE with ChaCha20-Poly1305',
    tls: (options) => ({ ...options, ciphers: `${options.ciphers}:${chacha}` }),
  }),
  fault({
    id: 'tls/static-rsa-suite',
    breaks: ['TLS-1'],
    places: ['host=issuer'],
    title: 'Accepts a suite without forward secrecy',
    tls: (options) => ({ ...options, ciphers: `${options.ciphers}:${gcmWithoutForwardSecrecy}` }),
  }),
  fault({
    id: 'tls/null-suite',
    breaks: ['TLS-1'],
    places: ['value=unknown'],
    title: 'Accepts a suite that does not encrypt',
    tls: (options) => ({ ...options, ciphers: `${options.ciphers}:NULL-SHA256:@SECLEVEL=0` }),
  }),
  fault({
    id: 'tls/version-1-1',
    breaks: ['TLS-2'],
    places: ['host=issuer'],
    title: 'Accepts TLS 1.1',
    collateral: {
      'tls/permitted-suites-only': 'TLS 1.1 has no permitted suite: those it can use are suites of TLS 1.2 as well',
    },
    tls: (options) => ({ ...options, minVersion: 'TLSv1.1', ciphers: `${options.ciphers}:${cbc}:@SECLEVEL=0` }),
  }),
  fault({
    id: 'tls/version-1-0',
    breaks: ['TLS-2'],
    places: ['value=first'],
    title: 'Accepts TLS 1.0 and 1.1',
    collateral: {
      'tls/permitted-suites-only': 'TLS 1.0 has no permitted suite: those it can use are suites of TLS 1.2 as well',
    },
    tls: (options) => ({ ...options, minVersion: 'TLSv1', ciphers: `${options.ciphers}:${cbc}:@SECLEVEL=0` }),
  }),
  fault({
    id: 'tls/other-suites-only',
    breaks: ['TLS-1', 'TLS-3'],
    places: ['host=issuer'],
    title: 'Accepts none of the permitted suites, but ChaCha20-Poly1305',
    tls: (options) => ({ ...options, ciphers: chacha }),
  }),
  fault({
    id: 'tls/other-suite-preferred',
    breaks: ['TLS-1', 'TLS-3'],
    places: ['host=issuer'],
    title: 'Prefers a suite that is not permitted',
    tls: (options) => ({ ...options, ciphers: `${chacha}:${options.ciphers}` }),
  }),
  fault({
    id: 'tls/newest-only',
    breaks: ['TLS-3'],
    places: ['host=issuer'],
    title: 'Accepts nothing but TLS 1.3',
    collateral: { 'tls/permitted-suites-only': 'TLS 1.3 is a reading that warns (AMB-25)' },
    tls: (options) => ({
      ...options,
      minVersion: 'TLSv1.3',
      maxVersion: 'TLSv1.3',
      ciphers: 'TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256',
    }),
  }),
]

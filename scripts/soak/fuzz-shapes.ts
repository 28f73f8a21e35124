import fc from 'fast-check'
import { anyCharacters, anyText, hostileJson, hostileJwt } from './fuzz-texts.js'
import type { Make, Values } from './fuzz-values.js'

export type Parameters = Record<string, (values: Values) => string>
export type Pairs = (values: Values) => [string, string][]

const oddNames = [
  '__proto__',
  'toString',
  'request',
  'request_uri',
  'resource',
  'dpop',
  'signing_request',
  'hinted_subject',
  'claims',
  'registration',
  'id_token_hint',
  'user_code',
  'xsrf',
  '',
]

/** Good parameters, of which some are left out, given twice, or have another value; and some that nobody knows. */
export function mutated(good: Parameters): fc.Arbitrary<Pairs> {
  const names = [...Object.keys(good), ...oddNames]
  const mutation = fc.tuple(fc.constantFrom(...names), fc.constantFrom('set', 'set', 'set', 'drop', 'twice'), anyText)
  return fc.array(mutation, { maxLength: 3 }).map((mutations) => (values) => {
    let pairs = Object.entries(good).map(([name, value]): [string, string] => [name, value(values)])
    for (const [name, how, value] of mutations) {
      if (how !== 'twice') pairs = pairs.filter(([other]) => other !== name)
      if (how !== 'drop') pairs.push([name, value(values)])
    }
    return pairs
  })
}

export const formType = 'application/x-www-form-urlencoded'

export const headers = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'authorization',
          'cookie',
          'accept-language',
          'x-forwarded-for',
          'x-b3-traceid',
          'client-cert',
          'dpop',
          'origin',
          'accept',
          'content-type',
          'content-encoding',
          'transfer-encoding',
          'forwarded',
        ),
        fc.oneof(
          fc.string({ maxLength: 40 }),
          fc.constantFrom(
            'Bearer',
            'Bearer ',
            'Basic :',
            'null',
            '*',
            'gzip',
            'a=b; ',
            'multipart/form-data; boundary=x',
            `${formType}; charset=utf-7`,
            'q'.repeat(5000),
          ),
          hostileJwt.map((jwt) => `Bearer ${jwt}`),
        ),
      )
      .map(([name, value]) => ({ [name]: value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?') })),
  },
)

export const urlencoded = (pairs: [string, string][]) =>
  new URLSearchParams(pairs.map(([name, value]) => [name, value.replace(/\p{Cs}/gu, '?')])).toString()

/** A body that is no form at all. */
export const anyBody = fc.oneof(
  hostileJson,
  anyCharacters(200),
  fc.constantFrom('a=%', '&&&==', 'x'.repeat(60_000), '%u0000=1', 'a[b][c]=1&a=2'),
)

export function form(
  path: (values: Values) => string,
  good: Parameters,
  more: (values: Values) => Record<string, string> = () => ({}),
): fc.Arbitrary<Make> {
  return fc
    .tuple(
      mutated(good),
      headers,
      fc.option(anyBody, { freq: 10 }),
      fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'HEAD'),
    )
    .map(([pairs, odd, body, method]) => (values) => ({
      method,
      path: path(values),
      headers: { 'content-type': formType, ...more(values), ...odd },
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: body ?? urlencoded(pairs(values)) }),
    }))
}

export function query(
  path: string,
  good: Parameters,
  more: (values: Values) => Record<string, string> = () => ({}),
): fc.Arbitrary<Make> {
  return fc
    .tuple(
      mutated(good),
      headers,
      fc.option(fc.constantFrom('%', '%ff', '%00', '?', ';', '&&', '[]=1', '%c0%ae'), { freq: 10 }),
    )
    .map(([pairs, odd, raw]) => (values) => ({
      method: 'GET',
      path: `${path}?${urlencoded(pairs(values)).slice(0, 12_000)}${raw ?? ''}`,
      headers: { ...more(values), ...odd },
    }))
}

/** A JSON body: good members, of which some have another value. */
export function json(
  good: (values: Values) => object,
  names: readonly string[],
): fc.Arbitrary<(values: Values) => string> {
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), hostileJson), { maxLength: 3 })
  return fc.oneof(
    { weight: 1, arbitrary: hostileJson.map((text) => () => text) },
    {
      weight: 6,
      arbitrary: changes.map((made) => (values: Values) => {
        const members = new Map(Object.entries(good(values)).map(([name, value]) => [name, JSON.stringify(value)]))
        for (const [name, text] of made) members.set(name, text)
        return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
      }),
    },
  )
}

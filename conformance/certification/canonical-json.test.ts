import { canonicalJson } from './canonical-json.js'

test('is as the examples of RFC 8785 have it', () => {
  // Sections 3.2.2 and 3.2.3.
  expect(
    canonicalJson({
      numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]'),
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }),
  ).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6']
  expect(Object.keys(JSON.parse(canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])))))).toEqual([
    '1',
    '\r',
    '\u0080',
    '\u00f6',
    '\u20ac',
    '\ud83d\ude00',
    '\ufb33',
  ])
})

test('leaves out what JSON leaves out, and refuses what JSON cannot hold', () => {
  expect(canonicalJson({ b: undefined, a: [{}] })).toBe('{"a":[{}]}')
  expect(() => canonicalJson(Number.NaN)).toThrow('NaN is not a JSON number')
  expect(() => canonicalJson({ a: '\ud83d' })).toThrow('half of a surrogate pair')
})

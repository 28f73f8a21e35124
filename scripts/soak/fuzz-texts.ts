import fc from 'fast-check'
import type { Values } from './fuzz-values.js'

type Text = fc.Arbitrary<(values: Values) => string>

/** Text of all that there is, halves of pairs as well; fast-check's own remembers each of a million characters. */
export function anyCharacters(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength }).map((points) => String.fromCodePoint(...points))
}

const constant = (text: string) => fc.constant(() => text)
const deepJson = `${'['.repeat(5000)}${']'.repeat(5000)}`
export const objects = '{"toString":1,"valueOf":1,"__proto__":{"x":1},"constructor":null}'

/** JSON that hardly any schema allows. */
export const hostileJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    'null',
    '0',
    '""',
    '[]',
    '{}',
    '-1',
    '1e999',
    'true',
    '{',
    'NaN',
    objects,
    `[${objects}]`,
    `{"a":${objects}}`,
  ),
  fc.constant(deepJson),
)

const part = (text: fc.Arbitrary<string>) => text.map((json) => Buffer.from(json).toString('base64url'))

/** Something in the form of a JWT, signed by nobody. */
export const hostileJwt = fc
  .tuple(
    part(
      fc.oneof(
        fc.constantFrom(
          '{"alg":"PS512"}',
          '{"alg":"none"}',
          '{"alg":"HS512","kid":"x"}',
          `{"alg":${objects}}`,
          `{"alg":"ES512","kid":${objects}}`,
          `{"alg":"ES512","crit":["b64"],"b64":false}`,
        ),
        hostileJson,
      ),
    ),
    part(
      fc.oneof(
        hostileJson,
        hostileJson.map((json) => `{"sub":${json},"iss":${json},"aud":${json},"jti":${json},"exp":${json}}`),
      ),
    ),
    fc.constantFrom('', 'AAAA', '!'),
    fc.constantFrom('', '', '', '.AAAA.AAAA'),
  )
  .map(([header, claims, signature, more]) => `${header}.${claims}.${signature}${more}`)

export const hostileText: Text = fc.oneof(
  anyCharacters(30).map((text) => () => text),
  fc.string({ maxLength: 30 }).map((text) => () => text),
  constant(''),
  constant('x'.repeat(9_000)),
  constant(' '),
  constant('%00'),
  constant('\u202e\ud800'),
  constant('__proto__'),
  constant('constructor'),
  constant('-1'),
  constant('99999999999999999999'),
  constant("' or 1=1 --"),
  hostileJson.map((json) => () => json.slice(0, 20_000)),
  hostileJwt.map((jwt) => () => jwt),
)

/** Good values that may stand where they do not belong. */
const ownText: Text = fc.constantFrom<(values: Values) => string>(
  ({ live }) => live.client.client_id,
  ({ live }) => live.client.client_secret,
  ({ live }) => `${live.url}/callback`,
  ({ live }) => live.bank.issuer,
  ({ code }) => code,
  ({ tokens }) => tokens.access_token,
  ({ tokens }) => tokens.refresh_token,
  ({ tokens }) => tokens.id_token,
  ({ interaction }) => interaction.split('/').at(-1) ?? '',
  ({ assertions }) => String(assertions.get('/token')?.client_assertion),
)

export const anyText = fc.oneof({ weight: 3, arbitrary: hostileText }, { weight: 2, arbitrary: ownText })

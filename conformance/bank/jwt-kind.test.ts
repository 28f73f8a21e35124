import { notOfKind } from './jwt-kind.js'

test.each([
  ['userinfo', 'token-userinfo+jwt', undefined],
  ['userinfo', 'JWT', undefined],
  ['id_token', 'application/id-token+jwt', undefined],
  ['profile', 'at+jwt', 'its typ is at+jwt'],
  ['id_token', 'application/Logout+JWT', 'its typ is application/Logout+JWT'],
  ['logout_token', 'logout+jwt', undefined],
  ['logout_token', 'of-our-own+jwt', 'its typ is of-our-own+jwt'],
] as const)('of %s the typ %s: %s', (kind, typ, said) => {
  expect(notOfKind(kind, { typ }, {})).toBe(said)
})

test('claims that only other kinds carry tell, whatever the typ', () => {
  expect(notOfKind('userinfo', {}, { sub: 's', events: {} })).toBe('it carries events')
  expect(notOfKind('id_token', {}, { sub: 's', nonce: 'n' })).toBeUndefined()
})

import { claimNames, claimsOf, dataScopes, emptyPlaces, project, publishedClaimsOf, withoutEmpty } from './claims.js'

const claims = {
  given_name: 'Jana',
  middle_name: null,
  nationalities: ['SK', 'CZ'],
  addresses: [
    { type: 'SECONDARY_RESIDENCE', city: 'Brno', evidencenumber: '7', street: '' },
    { type: 'PERMANENT_RESIDENCE', city: 'Praha' },
  ],
  verified_claims: { verification: { trust_framework: 'cz_aml' } },
}

test('the tables are those of the specification', () => {
  expect(dataScopes).toHaveLength(17)
  expect(claimsOf('userinfo', ['openid', 'profile.email', 'profile.idcards'])).toEqual(['email', 'email_verified'])
  expect(claimsOf('profile', ['profile.birthdate', 'profile.zoneinfo'])).toEqual(['birthdate', 'age', 'date_of_death'])
  expect(publishedClaimsOf('profile', ['openid', 'profile.paymentAccounts'])).toEqual([
    'verified_claims',
    'paymentAccountsDetails',
  ])
})

test('claims of several members are named by these members', () => {
  expect(claimNames(claims)).toEqual([
    'given_name',
    'middle_name',
    'nationalities',
    'addresses.type',
    'addresses.city',
    'addresses.evidencenumber',
    'addresses.street',
    'verified_claims.verification',
  ])
})

test('what is compared is what the names reach, whatever the order of lists', () => {
  const names = ['given_name', 'age', 'nationalities', 'addresses.city', 'addresses.type']
  const reached = {
    given_name: 'Jana',
    nationalities: ['CZ', 'SK'],
    addresses: [
      { city: 'Brno', type: 'SECONDARY_RESIDENCE' },
      { city: 'Praha', type: 'PERMANENT_RESIDENCE' },
    ],
  }
  expect(project(claims, names)).toEqual(reached)
  expect(project({ ...claims, addresses: claims.addresses.toReversed() }, names)).toEqual(reached)
  expect(project({ addresses: 'Praha' }, names)).toEqual({ addresses: 'Praha' })
})

test('null and empty strings are found and left out at any depth', () => {
  expect(emptyPlaces(claims)).toEqual(['middle_name', 'addresses.0.street'])
  expect(emptyPlaces(withoutEmpty(claims))).toEqual([])
  expect(emptyPlaces({ pep: false, age: 0, nationalities: [] })).toEqual([])
})

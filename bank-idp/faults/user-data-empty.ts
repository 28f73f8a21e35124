import { each, whereGranted, whereLacking } from './claim-changes.js'
import { type ClaimRow, claimFaults } from './user-data-seam.js'

/** Null, or an empty string, for what has no value. */

const inUserinfo: readonly ClaimRow[] = [
  {
    slug: 'null-for-absent',
    places: ['endpoint=userinfo value=null'],
    title: 'userinfo holds null for a middle name that there is none of',
    change: whereGranted('profile.name', (all) => ({ middle_name: null, ...all })),
  },
]

const inProfile: readonly ClaimRow[] = [
  {
    slug: 'null-for-absent',
    places: ['endpoint=profile value=null'],
    title: 'profile holds null for the date of death of the living',
    change: whereGranted('profile.birthdate', (all) => ({ date_of_death: null, ...all })),
  },
  {
    slug: 'empty-for-absent',
    places: ['endpoint=profile value=empty', 'person=sparse'],
    title: 'profile holds an empty string for titles that there are none of',
    change: whereGranted('profile.titles', (all) => ({ title_prefix: '', ...all })),
  },
  {
    slug: 'null-birth-number',
    places: ['person=without-birthnumber'],
    title: 'profile holds null for a birth number that there is none of',
    change: whereLacking('birthnumber', 'profile.birthnumber', (all) => ({ ...all, birthnumber: null })),
  },
  {
    slug: 'empty-email',
    places: ['person=no-email'],
    title: 'profile holds an empty string for an e-mail address that there is none of',
    change: whereLacking('email', 'profile.email', (all) => ({ ...all, email: '' })),
  },
  {
    slug: 'null-in-address',
    places: ['member=inner'],
    title: 'Addresses at profile hold null for a street that there is none of',
    change: each('addresses', (one) => ({ streetnumber: null, ...one })),
  },
]

export const userDataEmptyFaults = [
  ...claimFaults('userinfo', ['DATA-10'], inUserinfo),
  ...claimFaults('profile', ['DATA-10'], inProfile),
]

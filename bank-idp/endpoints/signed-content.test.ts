import { load } from 'cheerio'
import { decodeJwt } from 'jose'
import { bankForFile, bankForTest, type TestBank } from '../testing/banks.js'
import type { Form } from '../testing/pages.js'
import { documentObject, documentObjects, requestClaims, signObject } from '../testing/request-objects.js'
import type { TestClient } from '../testing/service.js'

const own = await bankForFile({}, { scope: 'openid authorization' })

type At = Pick<TestBank, 'service'> & { client: TestClient }

const register = ({ service, client }: At, structured_scope: object, ui_locales = 'en') =>
  service.registerRequestObject(requestClaims(client, { structured_scope, ui_locales }))

/** The page on which an object is authorized, as a person reads it, and what comes back. */
async function authorized(at: At, structured_scope: object, ui_locales?: string) {
  const { service, client } = at
  const { body, status } = await register(at, structured_scope, ui_locales)
  if (status !== 201) throw new Error(JSON.stringify(body))
  const pages: string[] = []
  const forms: Form[] = [{ person: 'jana' }, { action: 'confirm' }, { action: 'authorize' }]
  const seen = ({ text }: { text: string }) => pages.push(text)
  const { code } = await service.authorizeObject(body.request_uri, client.redirect_uri, forms, { seen })
  const { body: tokens } = await service.redeemSigned(client, String(code))
  const claims = decodeJwt(await service.decrypt(tokens.id_token))
  const page = load(pages.at(-1) ?? '')
  const facts = page('dt')
    .get()
    .map((name) => [
      page(name).text(),
      ...page(name)
        .nextAll('dd')
        .get()
        .map((text) => page(text).text()),
    ])
  return { facts, came: JSON.stringify(claims.structured_scope) }
}

const signArea = { page: 0, 'x-coordinate': 350, 'y-coordinate': 150, 'x-dist': 140, 'y-dist': 50 }

test('SIGN-36: what a service sends beyond the published members comes back unchanged, and all that says something was shown', async () => {
  const { fields, ...text } = signObject()
  const [amount, to] = fields
  const document = {
    ...documentObject(),
    hash_alg: '2.16.840.1.101.3.4.2.3',
    sign_area: signArea,
    sign_field: null,
    document_priority: null,
    bank_id: null,
    remark: '',
    parties: ['Kola s.r.o.', '', 'Jana'],
    nothing: { at: null, all: [[], {}] },
  }
  const structured_scope = {
    signObject: {
      ...text,
      fields: [
        { ...amount, fee: 7, urgent: true },
        { ...to, account: { iban: 'CZ65', bank: null } },
      ],
      footnote: 'pay \u202e001',
    },
    documentObject: document,
  }
  const { facts, came } = await authorized(own, structured_scope)
  expect(came).toBe(JSON.stringify(structured_scope))
  expect(facts).toEqual([
    ['To', 'Městská knihovna', 'account: iban: CZ65'],
    ['Amount', '100 CZK', 'fee: 7', 'urgent: true'],
    ['Fingerprint (SHA-512)', text.signObject_hash],
    ['footnote', 'pay [U+202E]001'],
    ['Subject', document.document_subject],
    ['Author', document.document_author],
    ['Language', 'cs.CZ'],
    ['Pages', '3'],
    ['Created on', document.document_created],
    ['Size', '11 bytes'],
    ['You have read it, according to the service', 'yes'],
    ['Identifier', 'document-1'],
    ['Address', document.document_uri],
    ['Fingerprint (SHA-512)', document.document_hash],
    ['Algorithm of the fingerprint', '2.16.840.1.101.3.4.2.3'],
    ['Place of the signature', 'page: 0, x: 350, y: 150, width: 140, height: 50'],
    ['parties', 'Kola s.r.o., Jana'],
  ])
})

test('SIGN-36: further members of an envelope and of its documents are shown and come back, in Czech under their own names', async () => {
  const { documents, ...envelope } = documentObjects(2)
  const [first, second] = documents
  const structured_scope = {
    documentObjects: { ...envelope, note: 'obě', documents: [{ ...first, sign_field: 'Podpis1' }, second] },
  }
  const { facts, came } = await authorized(own, structured_scope, 'cs')
  expect(came).toBe(JSON.stringify(structured_scope))
  const names = facts.map(([name]) => name)
  expect(facts).toContainEqual(['note', 'obě'])
  expect(facts).toContainEqual(['Podpisové pole', 'Podpis1'])
  expect(names.filter((name) => name === 'Podpisové pole')).toHaveLength(1)
  expect(facts).toContainEqual(['Otisk (SHA-512)', envelope.envelope_hash])
  expect(names).not.toContain('document_priority')
})

const long = 'x'.repeat(1025)

test.each<[string, object, string]>([
  ['documentObject.sign_area', { sign_area: { corner: { x: 1 } } }, 'it is nested too deeply'],
  ['documentObject.list', { list: [['a']] }, 'it is nested too deeply'],
  ['documentObject.text', { text: long }, 'it has more than 1024 characters'],
  ['documentObject.text', { text: [long.slice(1), 'y'] }, 'it has more than 1024 characters'],
  [`documentObject.${long.slice(0, 256)}`, { [long.slice(0, 256)]: 1 }, 'its name has more than 255 characters'],
])('what cannot be shown is refused by name: %s (%#)', async (place, members, problem) => {
  const { status, body } = await register(own, { documentObject: { ...documentObject(), ...members } })
  const error_description = `structured_scope.${place} cannot be shown to the end-user: ${problem}`
  expect([status, body]).toEqual([400, { error: 'invalid_request_object', error_description }])
})

test.each([
  ['signObject.note', () => ({ signObject: { ...signObject(), note: [{ a: 1 }] } })],
  [
    'signObject.fields.1.note',
    () => {
      const { fields, ...text } = signObject()
      return {
        signObject: { ...text, fields: fields.map((field, i) => (i === 1 ? { ...field, note: [{ a: 1 }] } : field)) },
      }
    },
  ],
  ['documentObjects.note', () => ({ documentObjects: { ...documentObjects(2), note: [{ a: 1 }] } })],
  [
    'documentObjects.documents.1.note',
    () => {
      const { documents, ...envelope } = documentObjects(2)
      return {
        documentObjects: {
          ...envelope,
          documents: documents.map((one, i) => (i === 1 ? { ...one, note: [{ a: 1 }] } : one)),
        },
      }
    },
  ],
])('it is refused wherever it stands: %s', async (place, structuredScope) => {
  const { body } = await register(own, structuredScope())
  expect(body.error_description).toBe(
    `structured_scope.${place} cannot be shown to the end-user: it is nested too deeply`,
  )
})

test('further members are refused, or not shown, by the other readings of AMB-70', async () => {
  const at = async (reading: 'refused' | 'unshown'): Promise<At> => {
    const { service } = await bankForTest({ readings: { 'AMB-70': reading } })
    return { service, client: await service.client({ scope: 'openid authorization' }) }
  }
  const structured_scope = { documentObject: { ...documentObject(), sign_area: signArea, sign_field: null } }
  const refused = await register(await at('refused'), structured_scope)
  expect([refused.status, refused.body]).toEqual([
    400,
    {
      error: 'invalid_request_object',
      error_description: 'structured_scope.documentObject.sign_area is not a known member',
    },
  ])
  const { facts, came } = await authorized(await at('unshown'), structured_scope)
  expect([came, facts.length]).toEqual([JSON.stringify(structured_scope), 10])
})

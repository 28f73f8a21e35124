import type { Bank } from '../../bank/bank.js'
import { dressNow } from '../../bank/dress.js'
import type { SignedKind } from '../../bank/signed-kind.js'
import type { SigningOptions } from '../../bank/signing.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { envelope, sha512, signObject } from '../../service/request-objects.js'
import { toSign } from '../../target/needs.js'
import { everythingBorne, everythingHinted } from './everything-borne.js'
import { asOwnFailure } from './own-failure.js'
import { codeIn, expectObjectRefused, isAuthorized } from './refusals.js'
import { note, oddText } from './structured-scope.js'

/** Holds that what was sent to be authorized comes back whole in the id_token. @param what of it, in words */
async function expectReturned({ bank, expect }: Tools, options: SigningOptions, what: string): Promise<void> {
  const { signed, came } = await asOwnFailure(bank, async () => {
    const signed = await bank.signing.result(options)
    return { signed, came: (await bank.signing.idToken(signed)).claims.structured_scope as Record<string, unknown> }
  })
  const sent = signed.object.request.claims.structured_scope as Record<string, unknown>
  // Object by object, so that a failure shows the one that differs.
  for (const name of new Set([...Object.keys(sent), ...Object.keys(came ?? {})])) {
    expect(came?.[name], `${name} of the id_token for ${what}`, signed.response).toEqual(sent[name])
  }
}

export const unchanged = rule({
  id: 'signing/sign-object-unchanged',
  requirement: 'SIGN-36',
  places: ['value=right', 'value=reordered', 'member=signObject_hash', 'caller=bearer', 'member=id_token_hint'],
  title:
    'The authorized SignObject comes back unchanged, fields and order, also one that came with an access token or id_token_hint',
  needs: toSign,
  async check(tools) {
    await expectReturned(tools, {}, 'a text')
    const options = await everythingBorne(tools)
    await tools.inVariation('beside a document, with an access token', () =>
      expectReturned(tools, options, 'a text beside a document with an access token'),
    )
    const hinted = await everythingHinted(tools)
    await tools.inVariation('beside a document, with id_token_hint', () =>
      expectReturned(tools, hinted, 'a text beside a document with id_token_hint'),
    )
  },
})

export const oddTextUnchanged = rule({
  id: 'signing/odd-text-unchanged',
  requirement: 'SIGN-36',
  places: ['long', 'encoded', 'equivalent', 'upper-bound', 'repeated', 'superset', 'other-type'].map(
    (value) => `value=${value}`,
  ),
  title: 'A SignObject of long and repeated values, markup and signs of other scripts comes back unchanged',
  needs: toSign,
  check: (tools) => expectReturned(tools, { claims: { structured_scope: { signObject: oddText } } }, 'an odd text'),
})

export const secondOfSession = rule({
  id: 'signing/second-of-session-unchanged',
  requirement: 'SIGN-36',
  places: ['use=session-login'],
  title: 'A SignObject that is authorized in the browser in which another one just was comes back, and not that one',
  needs: [...toSign, 'browsers'],
  async check({ bank, expect }) {
    const browser = bank.signing.browser()
    await bank.signing.result.fresh({ browser })
    const other = signObject([{ key: 'Amount', value: '99 CZK', priority: 1 }])
    const { signed, came } = await asOwnFailure(bank, async () => {
      const signed = await bank.signing.result.fresh({ browser, claims: { structured_scope: { signObject: other } } })
      return { signed, came: (await bank.signing.idToken(signed)).claims.structured_scope }
    })
    expect<unknown>(came, 'structured_scope of the id_token of the second text', signed.response).toEqual({
      signObject: other,
    })
  },
})

export const oneDocument = rule({
  id: 'signing/one-document',
  requirement: 'SIGN-11',
  places: [
    'value=right',
    'member=document_hash value=right',
    'member=document_uri value=right',
    'caller=bearer',
    'member=id_token_hint',
  ],
  title: 'One document, bound by its hash, is authorized and comes back',
  needs: toSign,
  async check(tools) {
    await expectReturned(tools, { kind: 'document' }, 'one document')
    const { bank, inVariation, reading } = tools
    const borne = await everythingBorne(tools)
    await inVariation('with an access token', () => expectReturned(tools, borne, 'one document with an access token'))
    const hinted = await everythingHinted(tools)
    await inVariation('with id_token_hint', () => expectReturned(tools, hinted, 'one document with id_token_hint'))
    const elsewhere = await bank.signing.submission.modified({ kind: 'document' }, ({ claims }) => {
      const { documentObject } = claims.structured_scope as { documentObject: { document_uri: string } }
      const document_uri = documentObject.document_uri.replace('https:', 'http:')
      return { claims: { ...claims, structured_scope: { documentObject: { ...documentObject, document_uri } } } }
    })
    reading('AMB-71', isAuthorized(elsewhere) ? 'http-too' : 'https-only')
  },
})

/** Values at the edges of what is published of documents. */
const oddDocument = {
  document_id: `${'dokument-'.repeat(28)}255`,
  document_title: 'Žádost o „úvěr" <b>&amp;</b> '.repeat(10).slice(0, 254).trim().padEnd(255, '…'),
  document_subject: '',
  document_author: '',
  document_language: '',
  document_pages: 1200,
  document_read_by_enduser: false,
}

/** A document at an address as long as it may be: what is served is found by its path. */
function atLongAddress<Document extends Record<string, unknown>>(document: Document): Document {
  return { ...document, document_uri: `${document.document_uri}?conformance=`.padEnd(1024, '0123456789') }
}

export const oddDocumentUnchanged = rule({
  id: 'signing/odd-document-unchanged',
  requirement: 'SIGN-11',
  places: [
    'value=long',
    'value=empty',
    'value=encoded',
    'member=document_read_by_enduser',
    'member=document_uri value=long',
  ],
  title: 'A document with long, empty and other values of its members is authorized and comes back',
  needs: toSign,
  async check(tools) {
    const document = await tools.bank.signing.document('Smlouva')
    const structured_scope = { documentObject: { ...atLongAddress(document), ...oddDocument } }
    await expectReturned(tools, { kind: 'document', claims: { structured_scope } }, 'an odd document')
  },
})

/** What is to be authorized. */
interface Scope {
  signObject?: object
  documentObject?: object
  documentObjects?: { documents?: Record<string, unknown>[] }
}

/** What may be refused for how it is sent, since it is not published that it can be sent so, and comes back as it is where it is taken. */
function returnedOrRefused(definition: {
  slug: string
  requirement: string
  places: readonly string[]
  title: string
  kind?: SignedKind
  changed(scope: Scope): Scope
}): Rule {
  const { slug, requirement, places, title, kind = 'text', changed } = definition
  return rule({
    id: `signing/${slug}`,
    requirement,
    places,
    title,
    needs: [...toSign, 'redirect'],
    async check({ bank, expect }) {
      const good = await bank.signing.requestObject.prepare({ kind })
      const structured_scope = changed(good.claims.structured_scope as Scope)
      const outcome = await bank.signing.submission.modified({ kind }, ({ claims }) => ({
        claims: { ...claims, structured_scope },
      }))
      const code = outcome.accepted && codeIn(outcome.accepted.visit)
      if (!outcome.accepted || !code) return expectObjectRefused(expect, outcome)
      const { object } = outcome.accepted
      const response = await bank.signing.exchangeCode(object, code)
      const { claims } = await bank.signing.idToken({ response, client: object.request.client })
      expect<unknown>(claims.structured_scope, 'structured_scope of the id_token', response).toEqual(structured_scope)
    },
  })
}

const area = { sign_area: 'page 1', hash_alg: '2.16.840.1.101.3.4.2.3', bank_id: null }

/** A text whose lines end in each of the ways in which lines end. */
const lines = signObject([{ key: 'Podmínky', value: 'První řádek\r\ndruhý řádek\n\n\ttřetí řádek\n', priority: 1 }])

/** An envelope with its first document once more, under another identifier. */
function repeated({ documents: [first = {}] = [] }: NonNullable<Scope['documentObjects']>): object {
  return envelope([first, { ...first, document_id: `${first.document_id}-2` }])
}

export const oddlySent: readonly Rule[] = [
  returnedOrRefused({
    slug: 'lines-unchanged',
    requirement: 'SIGN-36',
    places: ['member=lines'],
    title: 'A SignObject of several lines comes back with its ends of lines, or is refused',
    changed: () => ({ signObject: lines }),
  }),
  returnedOrRefused({
    slug: 'hash-in-capitals',
    requirement: 'SIGN-11',
    places: ['member=document_hash value=upper-case'],
    title: 'A document whose hash is written in capitals comes back as it was sent, or is refused',
    kind: 'document',
    changed: ({ documentObject }) => {
      const { document_hash, ...document } = documentObject as Record<string, unknown>
      return { documentObject: { ...document, document_hash: String(document_hash).toUpperCase() } }
    },
  }),
  returnedOrRefused({
    slug: 'same-document-twice',
    requirement: 'SIGN-12',
    places: ['value=repeated'],
    title: 'A document that is in an envelope twice comes back twice, or is refused',
    kind: 'documents',
    changed: ({ documentObjects = {} }) => ({ documentObjects: repeated(documentObjects) }),
  }),
  returnedOrRefused({
    slug: 'further-members-of-document',
    requirement: 'SIGN-11',
    places: ['member=further'],
    title: 'Members beyond the published ones of a document come back, or are refused',
    kind: 'document',
    changed: ({ documentObject }) => ({ documentObject: { ...documentObject, ...area } }),
  }),
  returnedOrRefused({
    slug: 'further-members-of-envelope',
    requirement: 'SIGN-12',
    places: ['member=further'],
    title: 'Members beyond the published ones of an envelope come back, or are refused',
    kind: 'documents',
    changed: ({ documentObjects }) => ({
      documentObjects: {
        ...documentObjects,
        note,
        documents: (documentObjects?.documents ?? []).map((document) => ({ ...document, ...area })),
      },
    }),
  }),
]

export const manyDocuments = rule({
  id: 'signing/documents-in-envelope',
  requirement: 'SIGN-12',
  places: [
    'value=lower-bound',
    'value=upper-bound',
    'value=first',
    'value=second',
    'value=last',
    'member=envelope_name',
    'member=text-and-documents value=upper-bound',
  ],
  title: 'One document and ten documents in an envelope, beside a text too, are authorized and come back',
  needs: toSign,
  async check(tools) {
    for (const count of [1, 10]) {
      const what = `${count} in an envelope`
      await tools.inVariation(what, () => expectReturned(tools, { kind: 'documents', count }, what))
    }
    // A text is none of the ten.
    const beside = '10 in an envelope beside a text'
    if (dressNow() === undefined)
      await tools.inVariation(beside, () => expectReturned(tools, { kind: 'text and documents', count: 10 }, beside))
  },
})

/** What further documents in an envelope have at the edges of what is published. */
const oddAuthor = {
  document_subject: 'Smlouva o spotřebitelském úvěru a její přílohy; '.repeat(6).slice(0, 254).padEnd(255, '.'),
  document_author: 'Marie Nováková-Dvořáková, Ing. Jan Příklad; '.repeat(6).slice(0, 254).padEnd(255, '.'),
}

/**
 * Three documents of which the last is to be shown first, in an envelope whose name has as many characters as it may, and so have members
 * of the documents.
 */
async function shuffled(bank: Bank): Promise<Record<string, unknown>> {
  const titles = ['Smlouva', 'Příloha', 'Souhlas']
  const [first = {}, second = {}, third = {}] = await Promise.all(titles.map((title) => bank.signing.document(title)))
  const odd = [{ ...first, ...oddDocument }, { ...atLongAddress(second), ...oddAuthor }, third]
  const { documents, ...rest } = envelope(odd)
  const priorities = [2, 3, 1]
  return {
    ...rest,
    envelope_name: 'Úvěr č. 1234567890 & daně',
    documents: (documents as object[]).map((document, i) => ({ ...document, document_priority: priorities[i] })),
  }
}

export const shuffledDocuments = rule({
  id: 'signing/documents-shuffled',
  requirement: 'SIGN-12',
  places: [
    'value=reordered',
    'member=envelope_name value=upper-bound',
    ...['document_title', 'document_id', 'document_uri'].map((member) => `member=${member} value=long`),
    ...['long', 'empty', 'encoded'].map((value) => `member=documents value=${value}`),
  ],
  title:
    'Documents with long and empty members, in another order than they are to be shown in, come back whole, in the order in which they were sent',
  needs: toSign,
  async check(tools) {
    const { bank, expect } = tools
    await bank.signing.result()
    const documentObjects = await shuffled(bank)
    const documents = documentObjects.documents as { document_hash: string; document_priority: number }[]
    const shown = [...documents].sort((a, b) => a.document_priority - b.document_priority)
    // In which of the two orders the hashes are joined is not shown.
    const scopes = [shown, documents].map((order) => ({
      documentObjects: { ...documentObjects, envelope_hash: sha512(order.map((one) => one.document_hash).join('')) },
    }))
    const optionsOf = (structured_scope: object) => ({ kind: 'documents' as const, claims: { structured_scope } })
    const answers = await Promise.all(scopes.map((scope) => bank.signing.requestObject.try(optionsOf(scope))))
    const taken = scopes.find((_scope, i) => (answers[i]?.status ?? 500) < 300)
    if (!taken) for (const answer of answers) expect(answer).toHaveStatus(200, 201)
    else await expectReturned(tools, optionsOf(taken), 'shuffled documents')
  },
})

export const combined = rule({
  id: 'signing/combined',
  requirement: 'SIGN-13',
  places: ['member=text-and-document', 'member=text-and-documents'],
  title: 'A text and documents are authorized at once',
  needs: toSign,
  async check(tools) {
    const { bank, inVariation, reading } = tools
    for (const kind of ['text and document', 'text and documents'] as const) {
      await inVariation(kind, () => expectReturned(tools, { kind }, kind))
    }
    const [one, many] = [
      await bank.signing.requestObject.prepare({ kind: 'document' }),
      await bank.signing.requestObject.prepare({ kind: 'documents' }),
    ]
    const structured_scope = { ...(one.claims.structured_scope as object), ...(many.claims.structured_scope as object) }
    const both = await bank.signing.submission.modified({ kind: 'document' }, ({ claims }) => ({
      claims: { ...claims, structured_scope },
    }))
    reading('AMB-63', isAuthorized(both) ? 'any-mix' : 'one-document-kind')
  },
})

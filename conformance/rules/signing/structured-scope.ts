import { signObject } from '../../service/request-objects.js'

/** Fields of the SignObject in the claims of a request object, in the order in which they are to be shown. */
export function fieldsInOrder(claims: Record<string, unknown>): { key: string; value: string; priority: number }[] {
  const { signObject } = claims.structured_scope as {
    signObject: { fields: { key: string; value: string; priority: number }[] }
  }
  return [...signObject.fields].sort((a, b) => a.priority - b.priority)
}

/** What further members of the text and of its fields say. */
export const note = 'Remark of the conformance harness'
export const unit = 'Unit of the conformance harness'

/** The SignObject in the claims of a request object with members beyond the published ones: of the text, and of each of its fields. */
export function withFurtherMembers(claims: Record<string, unknown>): Record<string, unknown> {
  const { signObject } = claims.structured_scope as { signObject: { fields: object[] } }
  return { ...signObject, fields: signObject.fields.map((field) => ({ ...field, unit })), note, sign_field: null }
}

const sentence = 'Podpisem stvrzuji, že jsem si podmínky přečetl a souhlasím s nimi. '

/**
 * A text of values at the edges of what is published (a key of 255 characters, a value of 1024), in other scripts, with markup, that
 * look like numbers and truth values, and with one pair twice; the last field is to be shown first.
 */
export const oddText = signObject([
  { key: 'Podmínky', value: sentence.repeat(16).slice(0, 1023).padEnd(1024, '.'), priority: 40 },
  { key: 'Popis položky '.repeat(19).slice(0, 254).padEnd(255, ':'), value: 'dlouhý klíč', priority: 30 },
  { key: 'Poznámka', value: '<b>tučně</b> & "uvozovky" \\ \'apostrof\' &amp;', priority: 20 },
  { key: 'Úhrada  celkem', value: 'dvě  mezery, a jedna na konci ', priority: 15 },
  { key: 'Příjemce', value: 'Łódź, Ελλάδα, Україна, 東京, 👍, ½ m² ﬁ Ａ', priority: 12 },
  { key: 'Kavárna', value: 'Cafe\u0301 U Kra\u0301le', priority: 14 },
  { key: 'Účet', value: '000019-2000145399/0800', priority: 11 },
  { key: 'Číslo smlouvy', value: '0012345', priority: 10 },
  { key: 'Sazba', value: '1.50', priority: 9 },
  { key: 'Souhlas', value: 'true', priority: 8 },
  { key: 'Položka', value: '1 ks', priority: 6 },
  { key: 'Položka', value: '1 ks', priority: 5 },
  { key: 'Částka', value: '+1 250,00 CZK', priority: 1 },
])

/** A text of twelve fields: more than one digit counts. */
export const manyFields = signObject(
  Array.from({ length: 12 }, (_, i) => ({ key: `Bod ${i + 1}.`, value: `Ujednání č. ${i + 1}.`, priority: i + 1 })),
)

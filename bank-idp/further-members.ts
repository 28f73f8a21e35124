import type { StructuredScope } from './structured-scope.js'

const document = [
  'document_id',
  'document_hash',
  'document_title',
  'document_subject',
  'document_language',
  'document_author',
  'document_pages',
  'document_created',
  'document_size',
  'document_read_by_enduser',
  'document_uri',
] as const

/** The published members of each object in a structured scope; which further ones a service may send is not shown (AMB-70). */
export const publishedMembers = {
  signObject: ['fields', 'signObject_hash'],
  field: ['key', 'value', 'priority'],
  document,
  envelope: ['envelope_name', 'envelope_hash', 'documents'],
  documentInEnvelope: [...document, 'document_priority'],
} as const

type Kind = keyof typeof publishedMembers

/** The most characters of a further member's name and of its text: those of a field's key and value (as published). */
const longest = { name: 255, text: 1024 }

/** A member beyond the published ones. */
export interface FurtherMember {
  name: string
  value: unknown
}

/** Whether a value says something: null and what is empty, or consists of nothing else, do not. */
function saysSomething(value: unknown): boolean {
  if (typeof value !== 'object') return value !== ''
  return value !== null && Object.values(value).some(saysSomething)
}

/** The members of an object beyond the published ones that say something, in their order. */
export function furtherMembers(object: object, kind: Kind): FurtherMember[] {
  const published: readonly string[] = publishedMembers[kind]
  return Object.entries(object)
    .filter(([name, value]) => !published.includes(name) && saysSomething(value))
    .map(([name, value]) => ({ name, value }))
}

/**
 * The text of a value as a page shows it: a list as its items, an object as its members with their names.
 *
 * @param label what a member of the object is called
 * @returns undefined when it is nested deeper
 */
export function textOf(value: unknown, label: (name: string) => string): string | undefined {
  if (typeof value !== 'object' || value === null) return String(value)
  const said = Object.entries(value).filter(([, one]) => saysSomething(one))
  if (said.some(([, one]) => typeof one === 'object')) return undefined
  return said.map(([name, one]) => (Array.isArray(value) ? String(one) : `${label(name)}: ${one}`)).join(', ')
}

/** Every further member of a structured scope, with its place, such as structured_scope.documentObject.sign_area. */
export function allFurtherMembers(scope: StructuredScope): (FurtherMember & { place: string })[] {
  const { signObject, documentObject, documentObjects } = scope
  const objects: { place: string; object: object | undefined; kind: Kind }[] = [
    { place: 'signObject', object: signObject, kind: 'signObject' },
    ...(signObject?.fields ?? []).map((object, i) => ({
      place: `signObject.fields.${i}`,
      object,
      kind: 'field' as const,
    })),
    { place: 'documentObject', object: documentObject, kind: 'document' },
    { place: 'documentObjects', object: documentObjects, kind: 'envelope' },
    ...(documentObjects?.documents ?? []).map((object, i) => ({
      place: `documentObjects.documents.${i}`,
      object,
      kind: 'documentInEnvelope' as const,
    })),
  ]
  return objects.flatMap(({ place, object = {}, kind }) =>
    furtherMembers(object, kind).map((member) => ({ ...member, place: `structured_scope.${place}.${member.name}` })),
  )
}

/** Why a further member cannot be shown to the person; undefined when it can. */
export function displayProblem({ name, value }: FurtherMember): string | undefined {
  if (name.length > longest.name) return `its name has more than ${longest.name} characters`
  const text = textOf(value, (member) => member)
  if (text === undefined) return 'it is nested too deeply'
  return text.length > longest.text ? `it has more than ${longest.text} characters` : undefined
}

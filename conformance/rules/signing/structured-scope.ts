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

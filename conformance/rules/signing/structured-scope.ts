/** Fields of the SignObject in the claims of a request object, in the order in which they are to be shown. */
export function fieldsInOrder(claims: Record<string, unknown>): { key: string; value: string; priority: number }[] {
  const { signObject } = claims.structured_scope as {
    signObject: { fields: { key: string; value: string; priority: number }[] }
  }
  return [...signObject.fields].sort((a, b) => a.priority - b.priority)
}

/** Changes of the default record for a client of the implicit flow alone. */
export const implicitClient = {
  client_name: 'Conformance implicit',
  response_types: ['token'],
  grant_types: ['implicit'],
}

/** Changes of the default record for a client of the implicit flow alone. */
export const implicitClient = {
  client_name: 'Conformance implicit',
  response_types: ['token'],
  grant_types: ['implicit'],
}

/** The same for a client of the code flow too. */
export const codeAndImplicitClient = {
  ...implicitClient,
  response_types: ['code', 'token'],
  grant_types: ['authorization_code', 'implicit'],
}

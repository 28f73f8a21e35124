/** Rows by which a request is refused whatever stands beside it, however it comes, and whoever is signed in. */

/** Of the parameters that a bank looks at before it knows where to redirect an error, or for what. */
export const identificationAlways = ['redirect-uri-missing', 'response-type-missing', 'response-type-unsupported']

/** Of the others. */
export const parametersAlways = [
  ...['state-missing', 'nonce-missing', 'scope-missing', 'scope-without-openid', 'scope-unsupported'],
  ...['display-unsupported', 'prompt-unsupported', 'acr-values-unsupported', 'max-age-invalid'],
  ...['response-mode-unsupported', 'ui-locales-invalid', 'registration-parameter'],
]

import { fault } from './fault.js'

export const signingPageFaults = [
  fault({
    id: 'signing/last-field-hidden',
    breaks: ['SIGN-10'],
    title: 'Does not show the last field of a text',
    response: {
      'GET /interaction': (response) => ({
        ...response,
        body: String(response.body).replace(/<dl class="fields">.*?<\/dl>/s, (fields) =>
          fields.replace(/(.*)<div>.*<\/div>/s, '$1'),
        ),
      }),
    },
  }),
  fault({
    id: 'signing/english-only',
    breaks: ['SIGN-14', 'SIGN-31'],
    title: 'Shows texts in English, whatever ui_locales says',
    requestObject({ claims }) {
      claims.ui_locales = 'en'
    },
  }),
  fault({
    id: 'signing/last-language',
    breaks: ['SIGN-31'],
    title: 'Takes the last of ui_locales in place of the first',
    requestObject({ claims }) {
      if (typeof claims.ui_locales === 'string') claims.ui_locales = claims.ui_locales.split(' ').reverse().join(' ')
    },
  }),
]

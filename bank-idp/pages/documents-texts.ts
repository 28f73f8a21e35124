import type { Document } from './document.js'
import type { Language } from './language.js'

type Documents = Record<'documentation' | 'policy' | 'terms', Document>

const en = (issuer: string): Documents => ({
  documentation: {
    title: 'For developers',
    sections: [
      {
        heading: 'Where to begin',
        paragraphs: [
          `Everything this bank can do is declared in ${issuer}/.well-known/openid-configuration; its keys are at ${issuer}/.well-known/jwks.json, and ${issuer}/healthcheck reports whether it works at the moment.`,
          'The federated service registers clients with POST /register, over mutual TLS and with a signed assertion.',
        ],
      },
      {
        heading: 'Keys',
        paragraphs: [
          'Signing keys change from time to time. A key stays in the key set for one year after it stopped signing, so that what it signed can be verified.',
        ],
      },
      {
        heading: 'Errors',
        paragraphs: [
          'Errors are JSON objects with error and error_description, or a redirect with both as query parameters. Every response has the header X-B3-TraceId: quote it when you report a problem.',
        ],
      },
    ],
  },
  policy: {
    title: 'How data may be used',
    sections: [
      {
        heading: 'Consent',
        paragraphs: [
          'An application receives only what the person approved for it. It uses the data for the purpose that it stated to the person.',
        ],
      },
      {
        heading: 'The people of this bank',
        paragraphs: ['This is a reference bank. The people in it are invented, and so are their data.'],
      },
    ],
  },
  terms: {
    title: 'Terms of service',
    sections: [
      {
        heading: 'What this bank is for',
        paragraphs: [
          'This reference bank replaces a real one while software is built and examined. It identifies no real person, and its statements have no legal effect.',
        ],
      },
    ],
  },
})

const cs = (issuer: string): Documents => ({
  documentation: {
    title: 'Pro vývojáře',
    sections: [
      {
        heading: 'Kde začít',
        paragraphs: [
          `Vše, co tato banka umí, uvádí ${issuer}/.well-known/openid-configuration; její klíče jsou na adrese ${issuer}/.well-known/jwks.json a na adrese ${issuer}/healthcheck sděluje, zda je právě v provozu.`,
          'Klienty registruje federovaná služba požadavkem POST /register, se vzájemným ověřením TLS a podepsaným tvrzením (assertion).',
        ],
      },
      {
        heading: 'Klíče',
        paragraphs: [
          'Podpisové klíče se čas od času mění. Klíč, kterým se už nepodepisuje, zůstává ještě rok v sadě klíčů, aby bylo možné ověřit, co jím bylo podepsáno.',
        ],
      },
      {
        heading: 'Chyby',
        paragraphs: [
          'Chyba je objekt JSON s členy error a error_description, nebo přesměrování s oběma v parametrech dotazu. Každá odpověď má hlavičku X-B3-TraceId: uveďte ji, když hlásíte problém.',
        ],
      },
    ],
  },
  policy: {
    title: 'Nakládání s údaji',
    sections: [
      {
        heading: 'Souhlas',
        paragraphs: [
          'Aplikace dostane jen ty údaje, k jejichž předání dal klient banky souhlas. Používá je k účelu, který mu sdělila.',
        ],
      },
      {
        heading: 'Lidé v této bance',
        paragraphs: ['Toto je referenční banka. Lidé v ní jsou smyšlení a jejich údaje také.'],
      },
    ],
  },
  terms: {
    title: 'Podmínky služby',
    sections: [
      {
        heading: 'K čemu banka slouží',
        paragraphs: [
          'Tato referenční banka nahrazuje skutečnou při vývoji a zkoušení softwaru. Neověřuje totožnost žádné skutečné osoby a její sdělení nemají právní účinky.',
        ],
      },
    ],
  },
})

/** The pages that discovery names as service_documentation, op_policy_uri and op_tos_uri, by their path below the bank's address. */
export const documentsOf: Record<Language, (issuer: string) => Documents> = { en, cs }

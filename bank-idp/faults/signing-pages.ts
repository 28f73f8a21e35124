import type { SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'

/** For `response`: changes the list of fields on the page of an object, where its whole is meant. */
function fieldList(change: (list: string) => string, isMeant = (_page: string) => true) {
  return (response: SeamResponse): SeamResponse => {
    const page = String(response.body)
    if (!isMeant(page)) return response
    return { ...response, body: page.replace(/<dl class="fields">.*?<\/dl>/s, change) }
  }
}

const row = /<div>.*?<\/div>/gs

/** How a page shows the fields of a text wrongly. */
const fieldFaults: readonly {
  slug: string
  places: readonly string[]
  title: string
  page: ReturnType<typeof fieldList>
}[] = [
  {
    slug: 'last-field-hidden',
    places: ['value=last'],
    title: 'Does not show the last field of a text',
    page: fieldList((list) => list.replace(/(.*)<div>.*<\/div>/s, '$1')),
  },
  {
    slug: 'first-field-hidden',
    places: ['value=first'],
    title: 'Does not show the first field of a text',
    page: fieldList((list) => list.replace(/<div>.*?<\/div>/s, '')),
  },
  {
    slug: 'second-field-hidden',
    places: ['value=second'],
    title: 'Does not show the second field of a text',
    page: fieldList((list) => list.replace(/(<div>.*?<\/div>)<div>.*?<\/div>/s, '$1')),
  },
  {
    slug: 'fields-reversed',
    places: ['value=reordered'],
    title: 'Shows the fields of a text in the opposite order',
    page: fieldList((list) => {
      const rows = [...(list.match(row) ?? [])].reverse()
      return list.replace(row, () => rows.shift() ?? '')
    }),
  },
  {
    slug: 'long-fields-cut-on-page',
    places: ['value=long'],
    title: 'Shows the first 500 characters of a field',
    page: fieldList((list) => list.replace(/<dd>([^<]{500})[^<]*<\/dd>/g, '<dd>$1…</dd>')),
  },
  {
    slug: 'markup-rendered',
    places: ['value=encoded'],
    title: 'Takes markup in a field for its own',
    page: fieldList((list) => list.replaceAll('&lt;', '<').replaceAll('&amp;', '&')),
  },
  {
    slug: 'ten-fields-shown',
    places: ['value=upper-bound'],
    title: 'Shows the first ten fields of a text',
    page: fieldList((list) => {
      let shown = 0
      return list.replace(row, (one) => (shown++ < 10 ? one : ''))
    }),
  },
  {
    slug: 'keys-hidden',
    places: ['member=key'],
    title: 'Shows the values of fields without their keys',
    page: fieldList((list) => list.replace(/<dt>[^<]*<\/dt>/g, '<dt></dt>')),
  },
  {
    slug: 'fields-beside-document-hidden',
    places: ['member=text-and-document'],
    title: 'Does not show the fields of a text that stands beside a document',
    page: fieldList(
      () => '',
      (page) => /<ol class="documents"><li/.test(page),
    ),
  },
  {
    slug: 'fields-beside-documents-hidden',
    places: ['member=text-and-documents'],
    title: 'Does not show the fields of a text that stands beside several documents',
    page: fieldList(
      () => '',
      (page) => /<ol class="documents"><li.*<li/s.test(page),
    ),
  },
]

/** What a page makes of ui_locales. */
const languageFaults: readonly {
  slug: string
  breaks: readonly string[]
  places: readonly string[]
  title: string
  change(locales: string): string
}[] = [
  {
    slug: 'english-only',
    breaks: ['SIGN-14', 'SIGN-31'],
    places: ['member=cs', 'value=first'],
    title: 'Shows texts in English, whatever ui_locales says',
    change: () => 'en',
  },
  {
    slug: 'slovak-in-english',
    breaks: ['SIGN-14'],
    places: ['member=sk', 'member=sk-SK'],
    title: 'Shows texts in English to who wants Slovak',
    change: (locales) => locales.replaceAll('sk', 'en'),
  },
  {
    slug: 'czech-for-english',
    breaks: ['SIGN-14'],
    places: ['member=en', 'member=en-GB'],
    title: 'Shows texts in Czech to who wants English',
    change: (locales) => locales.replaceAll('en', 'cs'),
  },
  {
    slug: 'czech-for-others',
    breaks: ['SIGN-14'],
    places: ['member=de', 'member=pl'],
    title: 'Shows texts in Czech to who wants a language that it does not have',
    change: (locales) => (/^(cs|sk|en)/i.test(locales) ? locales : 'cs'),
  },
  {
    slug: 'languages-by-beginning',
    breaks: ['SIGN-14'],
    places: ['member=csb'],
    title: 'Takes every language for Czech whose tag begins with cs',
    change: (locales) => (locales.startsWith('cs') ? 'cs' : locales),
  },
  {
    slug: 'slovene-in-czech',
    breaks: ['SIGN-14'],
    places: ['member=sl'],
    title: 'Shows texts in Czech to who wants Slovene',
    change: (locales) => locales.replace(/\bsl\b/g, 'cs'),
  },
  {
    slug: 'regions-unread',
    breaks: ['SIGN-14'],
    places: ['member=cs-CZ'],
    title: 'Knows no language that is told with its region',
    change: (locales) => (locales.includes('-') ? 'en' : locales),
  },
  {
    slug: 'languages-by-case',
    breaks: ['SIGN-14'],
    places: ['member=CS'],
    title: 'Knows languages in lower case alone',
    change: (locales) => (locales === locales.toUpperCase() ? 'en' : locales),
  },
  {
    slug: 'regions-by-case',
    breaks: ['SIGN-14'],
    places: ['member=cs-cz'],
    title: 'Knows regions in upper case alone',
    change: (locales) => (/-[a-z]{2}\b/.test(locales) ? 'en' : locales),
  },
  {
    slug: 'last-language',
    breaks: ['SIGN-31'],
    places: ['value=second'],
    title: 'Takes the last of ui_locales in place of the first',
    change: (locales) => locales.split(' ').reverse().join(' '),
  },
  {
    slug: 'first-known-language',
    breaks: ['SIGN-31'],
    places: ['value=unknown'],
    title: 'Passes over languages of ui_locales that it does not have',
    change: (locales) =>
      locales
        .split(' ')
        .filter((locale) => /^(cs|sk|en)/.test(locale))
        .join(' ') || locales,
  },
]

export const signingPageFaults: readonly Fault[] = [
  ...fieldFaults.map(({ slug, places, title, page }) =>
    fault({ id: `signing/${slug}`, breaks: ['SIGN-10'], places, title, response: { 'GET /interaction': page } }),
  ),
  ...languageFaults.map(({ slug, breaks, places, title, change }) =>
    fault({
      id: `signing/${slug}`,
      breaks,
      places,
      title,
      requestObject({ claims }) {
        if (typeof claims.ui_locales === 'string') claims.ui_locales = change(claims.ui_locales)
      },
    }),
  ),
]

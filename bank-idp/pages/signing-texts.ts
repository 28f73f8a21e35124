/** What the pages of the signing flow say, in each of their languages. */
const texts = {
  en: {
    identify: 'Confirm that it is you',
    identifyWhy: (application: string) => `${application} asks you to authorize something.`,
    password: 'Password',
    wrongPassword: 'The password is not right.',
    confirm: 'Continue',
    cancel: 'Cancel',
    sign: (application: string) => `${application} asks for your authorization`,
    signedInAs: (person: string) => `You are signed in as ${person}. What you authorize is binding.`,
    fields: 'Text',
    envelope: (name: string, count: number) => `Envelope ${name}: ${count} ${count === 1 ? 'document' : 'documents'}`,
    subject: 'Subject',
    author: 'Author',
    pages: 'Pages',
    created: 'Made on',
    size: 'Size',
    bytes: (count: number) => `${count.toLocaleString('en')} bytes`,
    hash: 'Fingerprint (SHA-512)',
    view: (title: string) => `View ${title}`,
    authorize: 'Authorize',
    refuse: 'Refuse',
    untitled: 'Document without a title',
    notTheDocument: 'This document cannot be shown',
    notTheDocumentWhy: 'It could not be fetched, or is not the one whose fingerprint you are asked to authorize.',
  },
  cs: {
    identify: 'Potvrďte, že jste to vy',
    identifyWhy: (application: string) => `${application} vás žádá o autorizaci.`,
    password: 'Heslo',
    wrongPassword: 'Heslo není správné.',
    confirm: 'Pokračovat',
    cancel: 'Zrušit',
    sign: (application: string) => `${application} žádá o vaši autorizaci`,
    signedInAs: (person: string) => `Jste přihlášeni jako ${person}. Co autorizujete, je závazné.`,
    fields: 'Text',
    envelope: (name: string, count: number) => `Obálka ${name}, počet dokumentů: ${count}`,
    subject: 'Předmět',
    author: 'Autor',
    pages: 'Počet stran',
    created: 'Vytvořeno',
    size: 'Velikost',
    bytes: (count: number) => `${count.toLocaleString('cs')} bajtů`,
    hash: 'Otisk (SHA-512)',
    view: (title: string) => `Zobrazit ${title}`,
    authorize: 'Autorizovat',
    refuse: 'Odmítnout',
    untitled: 'Dokument bez názvu',
    notTheDocument: 'Tento dokument nelze zobrazit',
    notTheDocumentWhy: 'Nepodařilo se jej načíst, nebo to není ten, jehož otisk máte autorizovat.',
  },
}

export type Language = keyof typeof texts

export function signingTexts(language: Language): (typeof texts)['en'] {
  return texts[language]
}

/**
 * The language of the pages: the first of the tags decides, Czech and Slovak give Czech, every other one English. Specification:
 * "Structured scope objects", the language rule.
 */
export function languageOf(tags: readonly string[]): Language {
  return /^(cs|sk)(-|$)/i.test(tags[0] ?? '') ? 'cs' : 'en'
}

import type { Language } from './language.js'

const en = {
  title: 'A bank to test with',
  what: 'This is the identity provider of an invented bank, at',
  follows: (edition: string) =>
    `It follows edition ${edition} of the interface specification for banks of a federated identity service. Applications send people here to log in.`,
  links: {
    discovery: 'What it can do, and where (discovery)',
    keys: 'Its public keys',
    health: 'Whether it works (health check)',
    documentation: 'For developers',
  },
  begin: 'To begin',
  lines: {
    discovery: 'See what the bank declares:',
    login:
      'See a whole login, in the folder of this package: it registers a client, sends you to log in and prints the claims.',
    bench: 'Start the bank so that your browser shows every request, and why it is refused:',
  },
  people: 'Who can log in',
  further: (count: number) => `There are ${count} more: the sign-in page finds them.`,
}

const cs: typeof en = {
  title: 'Banka pro testování',
  what: 'Toto je poskytovatel identity smyšlené banky na adrese',
  follows: (edition: string) =>
    `Řídí se vydáním ${edition} specifikace rozhraní pro banky federované služby identity. Aplikace sem posílají lidi, aby se přihlásili.`,
  links: {
    discovery: 'Co banka umí a na jakých adresách (discovery)',
    keys: 'Veřejné klíče banky',
    health: 'Zda je banka v provozu (health check)',
    documentation: 'Pro vývojáře',
  },
  begin: 'Jak začít',
  lines: {
    discovery: 'Zobrazte, co banka nabízí:',
    login:
      'Vyzkoušejte celé přihlášení ve složce tohoto balíčku: zaregistruje klienta, pošle vás k přihlášení a vypíše údaje.',
    bench: 'Spusťte banku tak, aby prohlížeč ukazoval každý požadavek i to, proč byl odmítnut:',
  },
  people: 'Kdo se může přihlásit',
  further: (count: number) => `Další osoby (${count}) vyhledáte na přihlašovací stránce.`,
}

/** What the page at the bank's address says. */
export const landingTexts: Record<Language, typeof en> = { en, cs }

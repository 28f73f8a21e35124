import type { AnsweredPage } from '../answered-pages.js'
import type { Language } from './language.js'

/** All that the pages say. */
interface Texts {
  bank: string
  /** Before what is told in English alone. */
  forDevelopers: string
  signIn: {
    title: string
    heading: (clientName: string) => string
    login: string
    password: string
    submit: string
    decline: string
    people: string
    search: string
    find: string
    found: (shown: number, found: number) => string
    wrong: string
    wait: (minutes: number) => string
  }
  secondFactor: {
    title: string
    heading: (clientName: string) => string
    byApp: (endUser: string) => string
    bySms: (endUser: string) => string
    confirm: string
    cancel: string
  }
  account: { title: string; heading: (clientName: string) => string; cancel: string }
  consent: {
    title: string
    heading: (clientName: string) => string
    signedIn: (endUser: string, clientName: string) => string
    required: string
    approve: string
    refuse: string
    /** By scope; a scope without an entry is shown by its name alone. */
    scopes: Record<string, string>
  }
  logOut: {
    title: string
    heading: string
    signedIn: (endUser: string) => string
    submit: string
    done: string
    back: string
    frame: string
  }
  wayOn: { title: string; goOn: string }
  device: {
    title: string
    heading: string
    code: string
    submit: string
    problems: Record<'wrong' | 'stopped' | 'failed', string>
    isIt: (clientName: string) => string
    own: string
    confirm: string
    abort: string
    done: string
    goBack: string
  }
  problems: Record<'over' | 'logOut' | 'tooManyCodes' | 'form', { title: string; advice: string }>
  /** Of a page that was answered: what was done there, or that the sign-in ended there. */
  answered: Record<AnsweredPage['page'], string> & {
    ended: string
    goneOn: (clientName: string) => string
    goneBack: (clientName: string) => string
  }
}

const en: Texts = {
  bank: 'Reference Bank',
  forDevelopers: 'For developers:',
  signIn: {
    title: 'Sign in',
    heading: (clientName) => `Sign in to continue to ${clientName}`,
    login: 'Login name',
    password: 'Password',
    submit: 'Sign in',
    decline: 'Cancel',
    people: 'Or be one of these people',
    search: 'Search for a person',
    find: 'Search',
    found: (shown, found) => (found === 0 ? 'Nobody was found.' : `${shown} of ${found} people`),
    wrong: 'The login name or the password is wrong.',
    wait: (minutes) => `Too many wrong passwords. Try again in ${minutes} min.`,
  },
  secondFactor: {
    title: 'Confirm it is you',
    heading: (clientName) => `${clientName} asks for a stronger sign-in`,
    byApp: (endUser) =>
      `${endUser}, confirm in the key on your phone that it is you. Here, this button stands for the phone.`,
    bySms: (endUser) => `${endUser}, a code was sent to your phone. Here, this button stands for typing it.`,
    confirm: 'Confirm',
    cancel: 'Cancel',
  },
  account: {
    title: 'Choose an account',
    heading: (clientName) => `With which account do you continue to ${clientName}?`,
    cancel: 'Cancel',
  },
  consent: {
    title: 'Consent',
    heading: (clientName) => `${clientName} asks for your data`,
    signedIn: (endUser, clientName) => `${endUser}, you are signed in. You decide what ${clientName} may see.`,
    required: 'required',
    approve: 'Agree',
    refuse: 'Refuse',
    scopes: {
      openid: 'That you have signed in',
      offline_access: 'Access while you are away',
      'profile.name': 'Name',
      'profile.titles': 'Academic titles',
      'profile.gender': 'Gender',
      'profile.birthdate': 'Date of birth and age',
      'profile.birthnumber': 'Birth number',
      'profile.birthplaceNationality': 'Place of birth and nationality',
      'profile.maritalstatus': 'Marital status',
      'profile.addresses': 'Addresses',
      'profile.idcards': 'Identity documents',
      'profile.paymentAccounts': 'Payment accounts',
      'profile.email': 'E-mail address',
      'profile.phonenumber': 'Telephone number',
      'profile.zoneinfo': 'Time zone',
      'profile.locale': 'Language',
      'profile.updatedat': 'When your data last changed',
      'profile.legalstatus': 'Legal status',
      'profile.verification': 'How your data was verified',
      'notification.claims_updated': 'Notice when your data changes',
      authorization: 'Authorization of what you confirm',
    },
  },
  logOut: {
    title: 'Log out',
    heading: 'Log out?',
    signedIn: (endUser) =>
      `${endUser}, you are signed in. All applications that you opened with this login will be notified.`,
    submit: 'Log out',
    done: 'You are logged out',
    back: 'Back to the application',
    frame: 'Logs out of an application',
  },
  wayOn: { title: 'One moment', goOn: 'Continue' },
  device: {
    title: 'Sign in on a device',
    heading: 'Enter the code that your device shows',
    code: 'Code',
    submit: 'Continue',
    problems: {
      wrong: 'This code does not exist, was already used, or is too old. Look at the device again.',
      stopped: 'The sign-in on the device was stopped.',
      failed: 'This did not work. Enter the code once more.',
    },
    isIt: (clientName) => `Does your device show this code for ${clientName}?`,
    own: 'Continue only if the device is yours and you are in front of it. No one else should give you this code.',
    confirm: 'Yes, continue',
    abort: 'No, stop',
    done: 'You are signed in',
    goBack: 'Go back to your device. You can close this page.',
  },
  problems: {
    tooManyCodes: {
      title: 'Too many wrong codes',
      advice: 'Wait for ten minutes, have the device show a new code, and enter that one.',
    },
    logOut: {
      title: 'You cannot be logged out this way',
      advice: 'The application asked for it in a way that this bank does not accept. Close the browser to be safe.',
    },
    form: {
      title: 'This form cannot be read',
      advice: 'The form had more fields than the page has, or others. Go back to the page and send it again.',
    },
    over: {
      title: 'This sign-in is over',
      advice: 'It was left for too long, or opened in another browser. Go back to the application and start again.',
    },
  },
  answered: {
    login: 'You have already signed in here',
    second_factor: 'You have already confirmed here that it is you',
    select_account: 'You have already chosen an account here',
    consent: 'You have already given your consent here',
    identify: 'You have already confirmed here that it is you',
    sign: 'You have already authorized this',
    ended: 'This sign-in ended here',
    goneOn: (clientName) =>
      `What you did here counts, and is not done a second time. Go forward again in your browser, or go back to ${clientName}.`,
    goneBack: (clientName) => `${clientName} was told. To try once more, go back to ${clientName} and start again.`,
  },
}

const cs: Texts = {
  bank: 'Referenční banka',
  forDevelopers: 'Pro vývojáře (anglicky):',
  signIn: {
    title: 'Přihlášení',
    heading: (clientName) => `Přihlášení do aplikace ${clientName}`,
    login: 'Uživatelské jméno',
    password: 'Heslo',
    submit: 'Přihlásit se',
    decline: 'Zrušit',
    people: 'Nebo se přihlaste jako jedna z těchto osob',
    search: 'Vyhledat osobu',
    find: 'Hledat',
    found: (shown, found) => (found === 0 ? 'Nikdo nebyl nalezen.' : `Zobrazeno ${shown} z ${found} osob`),
    wrong: 'Uživatelské jméno nebo heslo není správné.',
    wait: (minutes) => `Heslo bylo příliš mnohokrát zadáno chybně. Zkuste to znovu za ${minutes} min.`,
  },
  secondFactor: {
    title: 'Ověření druhým faktorem',
    heading: (clientName) => `Aplikace ${clientName} vyžaduje silnější ověření`,
    byApp: (endUser) =>
      `${endUser}, potvrďte přihlášení ověřením v mobilní aplikaci. Zde mobilní aplikaci zastupuje toto tlačítko.`,
    bySms: (endUser) =>
      `${endUser}, na váš telefon jsme poslali SMS s potvrzovacím kódem. Zde jeho opsání zastupuje toto tlačítko.`,
    confirm: 'Potvrdit',
    cancel: 'Zrušit',
  },
  account: {
    title: 'Výběr účtu',
    heading: (clientName) => `Pod kterým účtem chcete pokračovat do aplikace ${clientName}?`,
    cancel: 'Zrušit',
  },
  consent: {
    title: 'Souhlas s předáním údajů',
    heading: (clientName) => `Aplikace ${clientName} žádá o vaše údaje`,
    signedIn: (endUser, clientName) => `${endUser}, vyberte, které údaje smí banka předat aplikaci ${clientName}.`,
    required: 'povinné',
    approve: 'Souhlasím',
    refuse: 'Nesouhlasím',
    scopes: {
      openid: 'Potvrzení, že jste se přihlásili',
      offline_access: 'Přístup k údajům i ve vaší nepřítomnosti',
      'profile.name': 'Jméno',
      'profile.titles': 'Tituly',
      'profile.gender': 'Pohlaví',
      'profile.birthdate': 'Datum narození a věk',
      'profile.birthnumber': 'Rodné číslo',
      'profile.birthplaceNationality': 'Místo narození a státní občanství',
      'profile.maritalstatus': 'Rodinný stav',
      'profile.addresses': 'Adresy',
      'profile.idcards': 'Doklady totožnosti',
      'profile.paymentAccounts': 'Platební účty',
      'profile.email': 'E-mailová adresa',
      'profile.phonenumber': 'Telefonní číslo',
      'profile.zoneinfo': 'Časové pásmo',
      'profile.locale': 'Jazyk',
      'profile.updatedat': 'Datum poslední změny údajů',
      'profile.legalstatus': 'Svéprávnost a politická exponovanost',
      'profile.verification': 'Způsob ověření údajů',
      'notification.claims_updated': 'Oznámení o změně údajů',
      authorization: 'Autorizace toho, co potvrdíte',
    },
  },
  logOut: {
    title: 'Odhlášení',
    heading: 'Chcete se odhlásit?',
    signedIn: (endUser) =>
      `${endUser}, o odhlášení se dozví všechny aplikace, do nichž jste se tímto přihlášením dostali.`,
    submit: 'Odhlásit se',
    done: 'Odhlášení proběhlo',
    back: 'Zpět do aplikace',
    frame: 'Odhlášení z aplikace',
  },
  wayOn: { title: 'Okamžik, prosím', goOn: 'Pokračovat' },
  device: {
    title: 'Přihlášení na zařízení',
    heading: 'Zadejte kód, který vidíte na svém zařízení',
    code: 'Kód',
    submit: 'Pokračovat',
    problems: {
      wrong: 'Kód neexistuje, už byl použit, nebo jeho platnost vypršela. Zkontrolujte jej na zařízení.',
      stopped: 'Přihlášení na zařízení bylo zrušeno.',
      failed: 'Nepodařilo se. Zadejte kód ještě jednou.',
    },
    isIt: (clientName) => `Zobrazuje vaše zařízení tento kód pro aplikaci ${clientName}?`,
    own: 'Pokračujte jen tehdy, je-li zařízení vaše a máte ho před sebou. Pokud vám kód dal někdo jiný, nepokračujte.',
    confirm: 'Ano, pokračovat',
    abort: 'Ne, zrušit',
    done: 'Přihlášení proběhlo',
    goBack: 'Vraťte se k zařízení. Tuto stránku můžete zavřít.',
  },
  problems: {
    tooManyCodes: {
      title: 'Příliš mnoho chybných kódů',
      advice: 'Počkejte deset minut, vyžádejte si na zařízení nový kód a zadejte ten.',
    },
    logOut: {
      title: 'Odhlášení se nezdařilo',
      advice: 'Aplikace o odhlášení požádala způsobem, který banka nepřijímá. Pro jistotu zavřete prohlížeč.',
    },
    form: {
      title: 'Formulář nelze zpracovat',
      advice: 'Formulář obsahoval jiné údaje, než o které stránka žádá. Vraťte se na stránku a odešlete jej znovu.',
    },
    over: {
      title: 'Přihlášení už není platné',
      advice: 'Jeho platnost vypršela, nebo bylo zahájeno v jiném prohlížeči. Vraťte se do aplikace a začněte znovu.',
    },
  },
  answered: {
    login: 'Zde už jste se přihlásili',
    second_factor: 'Zde už jste přihlášení potvrdili',
    select_account: 'Zde už jste účet vybrali',
    consent: 'Zde už jste udělili souhlas',
    identify: 'Zde už jste svou totožnost potvrdili',
    sign: 'Toto už jste autorizovali',
    ended: 'Přihlášení zde skončilo',
    goneOn: (clientName) =>
      `Co jste zde potvrdili, platí a podruhé se neprovede. V prohlížeči přejděte zase vpřed, nebo se vraťte do aplikace ${clientName}.`,
    goneBack: (clientName) =>
      `Aplikace ${clientName} se to dozvěděla. Chcete-li to zkusit znovu, vraťte se do ní a začněte od začátku.`,
  },
}

export const texts: Record<Language, Texts> = { cs, en }

import type { Language } from './language.js'

/** All that the pages say. */
interface Texts {
  bank: string
  signIn: {
    title: string
    heading: (clientName: string) => string
    login: string
    password: string
    submit: string
    decline: string
    people: string
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
}

const en: Texts = {
  bank: 'Reference Bank',
  signIn: {
    title: 'Sign in',
    heading: (clientName) => `Sign in to continue to ${clientName}`,
    login: 'Login name',
    password: 'Password',
    submit: 'Sign in',
    decline: 'Cancel',
    people: 'Or be one of these people',
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
}

const cs: Texts = {
  bank: 'Referenční banka',
  signIn: {
    title: 'Přihlášení',
    heading: (clientName) => `Přihlaste se a pokračujte do ${clientName}`,
    login: 'Uživatelské jméno',
    password: 'Heslo',
    submit: 'Přihlásit',
    decline: 'Zrušit',
    people: 'Nebo buďte někým z těchto lidí',
    wrong: 'Uživatelské jméno nebo heslo není správné.',
    wait: (minutes) => `Příliš mnoho chybných hesel. Zkuste to znovu za ${minutes} min.`,
  },
  secondFactor: {
    title: 'Potvrďte, že jste to vy',
    heading: (clientName) => `${clientName} žádá silnější přihlášení`,
    byApp: (endUser) => `${endUser}, potvrďte klíčem v telefonu, že jste to vy. Zde telefon zastupuje toto tlačítko.`,
    bySms: (endUser) => `${endUser}, na telefon vám přišel kód. Zde jeho opsání zastupuje toto tlačítko.`,
    confirm: 'Potvrdit',
    cancel: 'Zrušit',
  },
  account: {
    title: 'Volba účtu',
    heading: (clientName) => `S kterým účtem pokračujete do ${clientName}?`,
    cancel: 'Zrušit',
  },
  consent: {
    title: 'Souhlas',
    heading: (clientName) => `${clientName} žádá o vaše údaje`,
    signedIn: (endUser, clientName) => `${endUser}, jste přihlášeni. Rozhodněte, co ${clientName} smí vidět.`,
    required: 'povinné',
    approve: 'Souhlasím',
    refuse: 'Odmítnout',
    scopes: {
      openid: 'Že jste se přihlásili',
      offline_access: 'Přístup, i když nejste přítomni',
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
      'profile.updatedat': 'Kdy se vaše údaje naposledy změnily',
      'profile.legalstatus': 'Právní stav',
      'profile.verification': 'Jak byly údaje ověřeny',
      'notification.claims_updated': 'Zpráva, když se vaše údaje změní',
      authorization: 'Autorizace toho, co potvrdíte',
    },
  },
  logOut: {
    title: 'Odhlášení',
    heading: 'Odhlásit se?',
    signedIn: (endUser) =>
      `${endUser}, jste přihlášeni. Dozví se to všechny aplikace, které jste s tímto přihlášením otevřeli.`,
    submit: 'Odhlásit',
    done: 'Jste odhlášeni',
    back: 'Zpět do aplikace',
    frame: 'Odhlašuje z aplikace',
  },
  wayOn: { title: 'Okamžik', goOn: 'Pokračovat' },
  device: {
    title: 'Přihlášení na zařízení',
    heading: 'Opište kód, který ukazuje vaše zařízení',
    code: 'Kód',
    submit: 'Pokračovat',
    problems: {
      wrong: 'Takový kód není, nebo je použitý či příliš starý. Podívejte se na zařízení znovu.',
      stopped: 'Přihlášení na zařízení bylo zastaveno.',
      failed: 'Nepodařilo se. Zadejte kód ještě jednou.',
    },
    isIt: (clientName) => `Ukazuje vaše zařízení tento kód pro ${clientName}?`,
    own: 'Pokračujte jen tehdy, je-li zařízení vaše a jste u něj. Tento kód vám nemá dát nikdo jiný.',
    confirm: 'Ano, pokračovat',
    abort: 'Ne, zastavit',
    done: 'Jste přihlášeni',
    goBack: 'Vraťte se k zařízení. Tuto stránku můžete zavřít.',
  },
  problems: {
    tooManyCodes: {
      title: 'Příliš mnoho chybných kódů',
      advice: 'Počkejte deset minut, nechte zařízení ukázat nový kód a zadejte ten.',
    },
    logOut: {
      title: 'Takto vás odhlásit nelze',
      advice: 'Aplikace o to požádala způsobem, který tato banka nepřijímá. Pro jistotu zavřete prohlížeč.',
    },
    form: {
      title: 'Tento formulář nelze přečíst',
      advice: 'Přišlo víc, než na co se stránka ptá, nebo něco jiného. Vraťte se na stránku a odešlete ji znovu.',
    },
    over: {
      title: 'Toto přihlášení skončilo',
      advice:
        'Bylo příliš dlouho opuštěné, nebo bylo otevřeno v jiném prohlížeči. Vraťte se do aplikace a začněte znovu.',
    },
  },
}

export const texts: Record<Language, Texts> = { cs, en }

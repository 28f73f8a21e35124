import { load } from 'cheerio'

/** Something done on a page, in a real browser. Selectors are CSS. */
export type Step = { fill: Filling } | { click: string } | { wait_for: string }

/** Selector of a control to its value; {login} and {password} stand for the person's, {code} for a one-time code. A boolean ticks or unticks. */
export type Filling = Record<string, string | boolean>

/** A page of the bank and how it is filled in. Selectors are CSS. */
export interface Page {
  /** Matches on this page alone. */
  when: string
  /** What rules call it, where that is not the name of its entry: of several entries that describe one page in several forms. */
  as?: string
  fill: Filling
  /** Ticks each box that the person can tick, where the bank shows them unticked. */
  tick?: 'all'
  /** What rules call the other half of a page that is two in one, such as one that asks who the person is and for consent. */
  also?: string
  /** The page comes again until it has asked about everything, each time about something else. */
  parts?: true
  /** The page goes on by itself once the person has approved elsewhere, such as in an app: its `submit` is waited for, not pressed. */
  waits?: true
  /** What is done after the filling and before the button of an action is pressed; for a real browser alone. */
  steps?: readonly Step[]
  /** Selector of a scope's box, or of the radio button or the option that denies it; {scope} stands for the scope. Absent where scopes cannot be chosen. */
  scope?: string
  /** Selector of a box, a radio button or an option, as of `scope`, to the scopes that it stands for. */
  boxes?: Record<string, readonly string[]>
  /** What the person can do to the selector of its button; `submit` is the way on. */
  actions: Record<string, string>
}

/** What rules call the page that an entry of `login.pages` describes. */
export function calledIn([name, page]: readonly [string, Page]): string {
  return page.as ?? name
}

/** All that rules call the page of an entry: two names where it is two pages in one. */
export function allCalledIn([name, page]: readonly [string, Page]): string[] {
  return [calledIn([name, page]), ...(page.also === undefined ? [] : [page.also])]
}

/** The entries that describe what rules call so. */
export function pagesCalled(pages: ReadonlyMap<string, Page>, called: string): Page[] {
  return [...pages].filter((entry) => allCalledIn(entry).includes(called)).map(([, page]) => page)
}

/** What the person does on a page, by what it is called; of one that is two in one whatever either is asked for. */
export function actionOn(
  [name, page]: readonly [string, Page],
  actions: Readonly<Record<string, string>> | undefined,
): string {
  const [asked] = allCalledIn([name, page]).flatMap((called) => actions?.[called] ?? [])
  return asked ?? 'submit'
}

/** How people get through the bank's pages: forms over HTTP, a real browser, or by hand. */
export type Driver = 'forms' | 'browser' | 'person'

/** What the target file says about it; what is absent has its default. */
export interface LoginSettings {
  by: Driver
  /** Path of Chromium or Chrome. Default: the one that is installed. */
  browser?: string
  /** Program and arguments that print a one-time code; {login} stands for the person's. */
  code?: readonly string[]
  /** Further origins of the bank's that its pages lead over. */
  origins?: readonly string[]
  /** How long the bank may take over one page. */
  pageSeconds?: number
  /** How long is waited for a person to come back. */
  personSeconds?: number
  /** Sign-ins that a person is asked for at most. */
  signIns?: number
}

/** Defaults of the target file's `login`, as schemas/target.schema.json tells them. */
export const loginDefaults = { pageSeconds: 30, personSeconds: 300, signIns: 12 }

/** The member `login` of a target file, as schemas/target.schema.json has it. */
export interface LoginFile {
  by?: Driver
  browser?: string
  code?: string[]
  origins?: string[]
  page_seconds?: number
  person_seconds?: number
  sign_ins?: number
  pages?: Record<string, Omit<Page, 'fill'> & { fill?: Filling }>
}

/** The settings beside the pages; undefined when the file says nothing about them. */
export function readLogin(file: LoginFile): LoginSettings | undefined {
  const { by, browser, code, origins, page_seconds, person_seconds, sign_ins } = file
  const given = {
    ...(by !== undefined && { by }),
    ...(browser !== undefined && { browser }),
    ...(code !== undefined && { code }),
    ...(origins !== undefined && { origins }),
    ...(page_seconds !== undefined && { pageSeconds: page_seconds }),
    ...(person_seconds !== undefined && { personSeconds: person_seconds }),
    ...(sign_ins !== undefined && { signIns: sign_ins }),
  }
  return Object.keys(given).length === 0 ? undefined : { by: 'forms', ...given }
}

/** The pages of the file, in its order. @throws Error naming the page and what is wrong with it */
export function readPages({ by, code, pages = {} }: LoginFile): ReadonlyMap<string, Page> {
  return new Map(
    Object.entries(pages).map(
      ([name, { when, as, also, fill = {}, tick, parts, waits, steps, scope, boxes, actions }]) => {
        if (actions.submit === undefined && !waits) throw new Error(`on page ${name}, actions has no submit`)
        if (steps && by !== 'browser') throw new Error(`on page ${name}, steps need login.by: browser`)
        const fillings = [fill, ...(steps ?? []).flatMap((step) => ('fill' in step ? [step.fill] : []))]
        const pressed = (steps ?? []).flatMap((step) =>
          'click' in step ? [step.click] : 'wait_for' in step ? [step.wait_for] : [],
        )
        const selectors = [
          ...[when, ...fillings.flatMap(Object.keys), ...pressed, ...Object.values(actions)],
          ...[scope ?? when, ...Object.keys(boxes ?? {})],
        ]
        const wrong = selectors.find((selector) => !isSelector(selector))
        if (wrong !== undefined) throw new Error(`on page ${name}, ${JSON.stringify(wrong)} is not a CSS selector`)
        checkPlaceholders(name, fillings, code)
        if (scope !== undefined && !scope.includes('{scope}'))
          throw new Error(`on page ${name}, scope has no {scope}, which stands for the scope that is denied`)
        const twice = Object.values(boxes ?? {})
          .flat()
          .find((one, at, all) => all.indexOf(one) !== at)
        if (twice !== undefined)
          throw new Error(`on page ${name}, boxes has ${twice} twice: one box stands for a scope`)
        const further = {
          ...(as !== undefined && { as }),
          ...(tick && { tick }),
          ...(parts && { parts }),
          ...(waits && { waits }),
          ...(also !== undefined && { also }),
          ...(steps && { steps }),
          ...(scope !== undefined && { scope }),
          ...(boxes && { boxes }),
        }
        return [name, { when, fill, actions, ...further }]
      },
    ),
  )
}

function checkPlaceholders(page: string, fillings: readonly Filling[], code: readonly string[] | undefined): void {
  const used = fillings
    .flatMap(Object.values)
    .flatMap((value: string | boolean) => (typeof value === 'string' ? (value.match(/\{\w+\}/g) ?? []) : []))
  const unknown = used.find((placeholder) => !/^\{(login|password|code)\}$/.test(placeholder))
  if (unknown) throw new Error(`on page ${page}, ${unknown} is neither {login} nor {password} nor {code}`)
  if (used.includes('{code}') && !code)
    throw new Error(`on page ${page}, {code} needs login.code, which prints the one-time code`)
}

function isSelector(selector: string): boolean {
  try {
    load('')(selector)
    return true
  } catch {
    return false
  }
}

import { load } from 'cheerio'

type Selection = ReturnType<ReturnType<ReturnType<typeof load>['root']>['children']>

/** What an element may hold: the names of its children, the attributes it may have, and those it must have; text where it is said. */
interface Form {
  children?: readonly string[]
  allowed?: readonly string[]
  required?: readonly string[]
  text?: true
}

const outcome: Form = { allowed: ['type', 'message'], text: true }

/** What Jenkins's xUnit plugin takes as JUnit XML, as its schema junit-10.xsd says; without what only Surefire writes of reruns. */
const forms: Readonly<Record<string, Form>> = {
  testsuites: { children: ['testsuite'], allowed: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: {
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    allowed: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    required: ['name', 'tests', 'failures', 'errors'],
  },
  properties: { children: ['property'] },
  property: { required: ['name', 'value'] },
  testcase: {
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    allowed: ['time', 'classname', 'group'],
    required: ['name'],
  },
  failure: outcome,
  error: outcome,
  skipped: outcome,
  'system-out': { text: true },
  'system-err': { text: true },
}

/** The type of `time` on suites. */
const surefireTime = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/

/** Where JUnit XML is not as the plugin takes it. */
export function junitViolations(xml: string): string[] {
  const root = load(xml, { xml: true }).root().children()
  const [first] = root.get()
  return first?.name === 'testsuites' || first?.name === 'testsuite' ? violationsOf(root, '') : ['the root is another']
}

function violationsOf(element: Selection, path: string): string[] {
  const { name = '', attribs = {} } = element.get(0) ?? {}
  const here = `${path}/${name}`
  const { children = [], allowed = [], required = [], text = false } = forms[name] ?? {}
  const inner = element.children()
  const spoken = element.contents().filter((_, node) => node.type === 'text' && node.data.trim() !== '')
  return [
    ...Object.keys(attribs).flatMap((one) => ([...allowed, ...required].includes(one) ? [] : `${here} has ${one}`)),
    ...required.flatMap((one) => (attribs[one] === undefined ? `${here} lacks ${one}` : [])),
    ...(name.startsWith('testsuite') && !surefireTime.test(attribs.time ?? '') ? [`${here} has another time`] : []),
    ...(spoken.length > 0 && !text ? [`${here} has text`] : []),
    ...inner
      .get()
      .flatMap((child, i) =>
        children.includes(child.name) ? violationsOf(inner.eq(i), here) : [`${here} has ${child.name} in it`],
      ),
  ]
}

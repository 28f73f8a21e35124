import { type FurtherMember, furtherMembers, textOf } from '../further-members.js'
import { type DocumentObject, documentsInOrder, fieldsInOrder, type StructuredScope } from '../structured-scope.js'
import type { Language } from './language.js'
import { type PageContext, page } from './layout.js'
import { type PasswordProblem, passwordAlert } from './password-problem.js'
import { signingTexts } from './signing-texts.js'

export interface IdentifyProps {
  page: PageContext
  clientName: string
  /** Of whom the request names. */
  initials: string
  /** Why the last try let nobody in. */
  problem?: PasswordProblem | undefined
}

/** Is it really the person whom the request names? Who it is need not be told again. */
export function identifyPage({ page: context, clientName, initials, problem }: IdentifyProps): string {
  const t = signingTexts[context.language]
  return page(
    t.identify,
    <>
      <h1>{t.identify}</h1>
      <p>{t.identifyWhy(clientName)}</p>
      {problem && (
        <p class="alert" role="alert">
          {passwordAlert(problem, context.language, t.wrongPassword)}
        </p>
      )}
      <form id="identify" method="post" action={context.action}>
        <p>{initials}</p>
        <label>
          {t.password}
          <input type="password" name="password" autocomplete="current-password" />
        </label>
        <div class="actions">
          <button type="submit" class="primary" name="action" value="confirm">
            {t.confirm}
          </button>
          <button type="submit" name="action" value="decline">
            {t.cancel}
          </button>
        </div>
      </form>
    </>,
    context,
  )
}

export interface SignProps {
  page: PageContext
  clientName: string
  endUser: string
  structuredScope: StructuredScope
  /** Whether members beyond the published ones are shown as well (AMB-70). */
  withFurther: boolean
}

/** What is to be authorized, all of it: the fields in their order, then each document. */
export function signPage({ page: context, clientName, endUser, structuredScope, withFurther }: SignProps): string {
  const { language, action } = context
  const t = signingTexts[language]
  const { signObject, documentObject, documentObjects } = structuredScope
  const documents = documentsInOrder(structuredScope)
  const further: Further = (object, kind) => (withFurther ? furtherMembers(object, kind) : [])
  return page(
    t.sign(clientName),
    <>
      <h1>{t.sign(clientName)}</h1>
      <p>{t.signedInAs(endUser)}</p>
      <form id="sign" method="post" action={action}>
        {signObject && (
          <section>
            <h2>{t.fields}</h2>
            <dl class="fields">
              {fieldsInOrder(signObject).map((field) => (
                <div key={field.priority}>
                  <dt>{field.key}</dt>
                  <dd>{field.value}</dd>
                  {further(field, 'field').map((member) => (
                    <dd>{factOf(member, language).join(': ')}</dd>
                  ))}
                </div>
              ))}
            </dl>
            {factList([
              [t.hash, signObject.signObject_hash],
              ...further(signObject, 'signObject').map((member) => factOf(member, language)),
            ])}
          </section>
        )}
        {documentObjects && (
          <section>
            <h2>{t.envelope(documentObjects.envelope_name, documentObjects.documents.length)}</h2>
            {factList([
              [t.hash, documentObjects.envelope_hash],
              ...further(documentObjects, 'envelope').map((member) => factOf(member, language)),
            ])}
          </section>
        )}
        <ol class="documents">
          {documents.map((document, i) => {
            const kind = document === documentObject ? 'document' : 'documentInEnvelope'
            const address = `${action}/document/${i + 1}`
            return (
              <li key={document.document_id}>{documentFacts(document, address, language, further(document, kind))}</li>
            )
          })}
        </ol>
        <div class="actions">
          <button type="submit" class="primary" name="action" value="authorize">
            {t.authorize}
          </button>
          <button type="submit" name="action" value="refuse">
            {t.refuse}
          </button>
        </div>
      </form>
    </>,
    context,
  )
}

/** Something that is said of what is to be authorized: what it is, and what it says. */
type Fact = [name: string, text: string]

type Further = (...about: Parameters<typeof furtherMembers>) => FurtherMember[]

/** A further member as it is told: the known ones under names of their own, any other under the name that it was sent with. */
function factOf({ name, value }: FurtherMember, language: Language): Fact {
  const names: Record<string, string> = signingTexts[language].further
  const label = (sent: string) => (Object.hasOwn(names, sent) ? String(names[sent]) : sent)
  return [label(name), textOf(value, label) ?? '']
}

function factList(facts: readonly Fact[]) {
  return (
    <dl class="facts">
      {facts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  )
}

function documentFacts(
  document: DocumentObject,
  address: string,
  language: Language,
  further: readonly FurtherMember[],
) {
  const t = signingTexts[language]
  const title = document.document_title || t.untitled
  return (
    <>
      <h3>{title}</h3>
      {factList([
        [t.subject, document.document_subject],
        [t.author, document.document_author],
        [t.language, document.document_language],
        [t.pages, String(document.document_pages)],
        [t.created, document.document_created],
        [t.size, t.bytes(document.document_size)],
        [t.read, document.document_read_by_enduser ? t.yes : t.no],
        [t.identifier, document.document_id],
        [t.address, document.document_uri],
        [t.hash, document.document_hash],
        ...further.map((member) => factOf(member, language)),
      ])}
      <p>
        <a href={address} target="_blank" rel="noopener">
          {t.view(title)}
        </a>
      </p>
    </>
  )
}

/** In place of a document that is not the one to be authorized. */
export function notTheDocumentPage(language: Language): string {
  const t = signingTexts[language]
  return page(
    t.notTheDocument,
    <>
      <h1>{t.notTheDocument}</h1>
      <p>{t.notTheDocumentWhy}</p>
    </>,
    { language },
  )
}

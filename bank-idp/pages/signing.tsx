import { type DocumentObject, documentsInOrder, fieldsInOrder, type StructuredScope } from '../structured-scope.js'
import type { Language } from './language.js'
import { type PageContext, page } from './layout.js'
import { signingTexts } from './signing-texts.js'

export interface IdentifyProps {
  page: PageContext
  clientName: string
  /** Of whom the request names. */
  initials: string
  /** Whether the password of the last try was wrong. */
  wrong: boolean
}

/** Is it really the person whom the request names? Who it is need not be told again. */
export function identifyPage({ page: context, clientName, initials, wrong }: IdentifyProps): string {
  const t = signingTexts[context.language]
  return page(
    t.identify,
    <>
      <h1>{t.identify}</h1>
      <p>{t.identifyWhy(clientName)}</p>
      {wrong && (
        <p class="alert" role="alert">
          {t.wrongPassword}
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
}

/** What is to be authorized: the fields in their order, then each document. */
export function signPage({ page: context, clientName, endUser, structuredScope }: SignProps): string {
  const { language, action } = context
  const t = signingTexts[language]
  const { signObject, documentObjects } = structuredScope
  const documents = documentsInOrder(structuredScope)
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
              {fieldsInOrder(signObject).map(({ key, value, priority }) => (
                <div key={priority}>
                  <dt>{legible(key)}</dt>
                  <dd>{legible(value)}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        {documentObjects && (
          <h2>{t.envelope(legible(documentObjects.envelope_name), documentObjects.documents.length)}</h2>
        )}
        <ol class="documents">
          {documents.map((document, i) => (
            <li key={document.document_id}>{documentFacts(document, `${action}/document/${i + 1}`, language)}</li>
          ))}
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

/** Text as it was sent: characters that would show it in another order than it is signed in are told by their number (Unicode UAX 9). */
function legible(text: string): string {
  const number = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (character) => `[U+${number(character)}]`)
}

function documentFacts(document: DocumentObject, address: string, language: Language) {
  const t = signingTexts[language]
  const title = legible(document.document_title) || t.untitled
  const facts: [string, string][] = [
    [t.subject, legible(document.document_subject)],
    [t.author, legible(document.document_author)],
    [t.pages, String(document.document_pages)],
    [t.created, document.document_created],
    [t.size, t.bytes(document.document_size)],
    [t.hash, document.document_hash],
  ]
  return (
    <>
      <h3>{title}</h3>
      <dl>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
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

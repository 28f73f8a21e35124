import type { RequestObjectOptions } from '../../bank/ros.js'
import type { Rule, Tools } from '../../harness/rule.js'
import { sha512 } from '../../service/request-objects.js'
import { claim, claims, objectIn, refusalRules, without } from './refused-objects.js'

/** A good object with id_token_hint: whom it names has not authenticated yet. */
async function hinted({ bank }: Tools, options: RequestObjectOptions = {}): Promise<RequestObjectOptions> {
  return { ...options, claims: { id_token_hint: await bank.hint(await bank.signing.login()) } }
}

/** A good object of a client that registered loa3 for its logins: a request object has to ask for it all the same. */
function ofDefaultLevel(options: RequestObjectOptions): RequestObjectOptions {
  const clientMetadata = { client_name: 'Conformance signing by default', default_acr_values: ['loa3'] }
  return { ...options, clientMetadata }
}

/** What is refused of a text or of one document is refused of objects of every other kind, however they came. */
export const kindRefusals: readonly Rule[] = refusalRules([
  {
    slug: 'scopes-of-every-kind',
    requirement: 'SIGN-3',
    places: ['member=documentObjects', 'member=id_token_hint'],
    title:
      'Without an access token the scopes openid and authorization are required, also for many documents and beside id_token_hint',
    good: async (tools) => [{ kind: 'documents' }, await hinted(tools)],
    broken: {
      'scope "openid"': claim({ scope: 'openid' }),
      'scope "authorization"': claim({ scope: 'authorization' }),
      'no scope': claims((good) => without(good, 'scope')),
    },
  },
  {
    slug: 'loa3-of-every-kind',
    requirement: 'SIGN-5',
    places: [
      'member=text-and-documents value=wrong',
      'value=lower-bound',
      'caller=bearer',
      'member=id_token_hint',
      ...['documentObject', 'documentObjects', 'text-and-document', 'text-and-documents'].map(
        (member) => `member=${member} value=missing`,
      ),
      'caller=bearer member=text-and-document',
      ...['wrong', 'missing'].map((value) => `member=default_acr_values value=${value}`),
    ],
    title:
      'A request with documents of any number, beside a text, with an access token, id_token_hint or default_acr_values needs acr_values loa3',
    good: async (tools) => [
      { kind: 'text and documents' },
      { kind: 'documents', count: 1 },
      { kind: 'document', bearer: (await tools.bank.signing.login()).accessToken },
      { kind: 'text and document', bearer: (await tools.bank.signing.login()).accessToken },
      await hinted(tools, { kind: 'document' }),
      ofDefaultLevel({ kind: 'text and document' }),
    ],
    broken: {
      'acr_values loa2': claim({ acr_values: 'loa2' }),
      'no acr_values': claims((good) => without(good, 'acr_values')),
    },
  },
  {
    slug: 'max-age-of-every-kind',
    requirement: 'SIGN-7',
    places: ['member=documentObjects', 'member=text-and-document', 'member=id_token_hint'],
    title: 'A request object without max_age is refused, whatever is to be authorized, also beside id_token_hint',
    good: async (tools) => [{ kind: 'documents' }, { kind: 'text and document' }, await hinted(tools)],
    broken: { 'no max_age': claims((good) => without(good, 'max_age')) },
  },
  {
    slug: 'envelope-hash-of-every-kind',
    requirement: 'SIGN-40',
    places: ['value=lower-bound', 'value=upper-bound', 'member=text-and-documents'],
    title: 'An envelope_hash that does not fit is refused for one document, for ten, and beside a text',
    good: [{ kind: 'documents', count: 1 }, { kind: 'documents', count: 10 }, { kind: 'text and documents' }],
    broken: {
      'the envelope_hash of another document': objectIn('documentObjects', (good) => ({
        ...good,
        envelope_hash: sha512('another document'),
      })),
    },
  },
])

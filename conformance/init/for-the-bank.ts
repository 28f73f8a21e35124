import { isUrl } from '../../schemas/is-url.js'
import type { HttpResponse } from '../http/http.js'
import { addressOf } from '../target/target.js'
import type { Answers } from './answers.js'
import { files } from './target-text.js'

/** What the people who run the bank have to do before it can be examined. */
export function forTheBank({ issuer, url: asked, listen, authority }: Answers, discovery: HttpResponse): string {
  const port = listen.slice(listen.lastIndexOf(':') + 1)
  const url = port === '0' ? asked : asked.replaceAll('{port}', port)
  const portNote = url.includes('{port}') ? ' ({port} is a free port, a different one in each run)' : ''
  const named = discovery.member('registration_endpoint')
  const registration =
    typeof named === 'string' && isUrl(named) ? new URL(named).href : `${addressOf({ issuer })}/register`
  const trust =
    authority === 'own'
      ? `- **The authority of its certificates**: \`${files.authority}\`. Trust it for client certificates at ${registration} and in the signing
  flow, and for the server that you fetch from below.`
      : `- **Its certificate**: sign \`${files.request}\` (use: client and server authentication; the names in it are those of the address below)
  by an authority that you trust for client certificates at ${registration} and in the signing flow, and give the certificate back.`
  return `# For the bank ${issuer}

The conformance harness acts as the federated service towards this bank. In a test environment, please configure the bank as follows:

- **The service's key set**: \`${files.publicKeys}\`, in place of the federated service's key set or in addition to it. Its keys sign RegistrationAuthJWT,
  the \`client_assertion\` of ${registration}.
${trust}
- **Reverse proxies**: \`client_assertion\` and \`client_assertion_type\` are headers with an underscore, and a proxy in front of ${registration}
  may drop them. nginx does so, unless \`underscores_in_headers on;\` stands in \`http\` or in the default \`server\` of the address. Apache httpd
  forwards them with \`mod_proxy_http\`, but leaves them out of the environment of CGI and FastCGI: \`SetEnvIfNoCase\` with \`RequestHeader\`
  passes them on under names with a hyphen. Below \`mod_php\` they are missing in \`$_SERVER\`; \`getallheaders()\` has them. HAProxy drops them for FastCGI, and where \`option http-restrict-req-hdr-names\` is \`delete\`:
  set it to \`preserve\`. Servers of WSGI drop them too (gunicorn from 22.0, waitress): have the proxy
  pass them on under names with a hyphen (nginx: \`proxy_set_header Client-Assertion $http_client_assertion;\`).
- **Its address**: ${url}${portNote}. The bank has to be able to reach it: every client of a run registers \`jwks_uri\`, \`sector_identifier_uri\`,
  \`backchannel_logout_uri\` and \`notification_uri\` below it. Only the tests use this address.
- **Redirect URIs**: each client registers its own, \`${url}/…/callback\`; to test other
  sectors, some clients use hosts that end in \`.example\`. You only have to accept these hosts.
- **Test persons**: one who has everything that the bank offers, with a login that needs no manual step (a program may supply a
  one-time code). More people let more rules run: see \`people\` in \`${files.target}\`.

At the end of a run the harness deletes what it registered.
`
}

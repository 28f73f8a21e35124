/**
 * A login by openid-client, and the end of its token, at a bank that its file alone sets up (docs/first-login.md). The bank runs beside it:
 *
 *     npx bank-idp start --config bank.yaml
 *
 * and here NODE_EXTRA_CA_CERTS=.data/ca.pem node openid-client.js; ISSUER is the bank's address, where it is another.
 */
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomState,
  tokenIntrospection,
  tokenRevocation,
} from 'openid-client'

const issuer = new URL(process.env.ISSUER ?? 'https://localhost:8443')
const config = await discovery(issuer, 'my-app', undefined, ClientSecretPost('my-secret'))

const [state, nonce] = [randomState(), randomNonce()]
const address = buildAuthorizationUrl(config, {
  redirect_uri: 'https://app.example/cb',
  scope: 'openid profile.name',
  state,
  nonce,
  login_hint: 'jana',
})
// Your application sends a browser there. A bank that is headless answers with the way back, and shows no page.
const { headers } = await fetch(address, { redirect: 'manual' })
const back = new URL(headers.get('location'))

const tokens = await authorizationCodeGrant(config, back, { expectedState: state, expectedNonce: nonce })
const { sub } = tokens.claims()
const { given_name } = await fetchUserInfo(config, tokens.access_token, sub)

// What your application does at a logout.
await tokenRevocation(config, tokens.access_token)
const { active } = await tokenIntrospection(config, tokens.access_token)
process.stdout.write(`${JSON.stringify({ sub, given_name, active })}\n`)

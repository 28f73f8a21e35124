import { fault } from './fault.js'

/** At /token, /token-info and /revoke alike, where one table of checks is asked. */
export const tokenAssertionFaults = [
  fault({
    id: 'token/assertion-audience-unchecked',
    breaks: ['TOK-14', 'INTR-6', 'REV-6'],
    places: [
      'endpoint=token client-auth=private_key_jwt part=aud value=wrong',
      'endpoint=token client-auth=private_key_jwt part=aud value=missing',
      'value=wrong',
    ],
    title: 'Takes a client assertion that is made out to somebody else',
    without: ['client-assertion/aud'],
  }),
  fault({
    id: 'token/assertion-issuer-unchecked',
    breaks: ['TOK-14'],
    places: ['endpoint=token client-auth=private_key_jwt part=iss value=wrong'],
    title: 'Takes a client assertion whatever its iss',
    without: ['client-assertion/iss'],
  }),
  fault({
    id: 'token/assertion-subject-unchecked',
    breaks: ['TOK-14'],
    places: ['endpoint=token client-auth=private_key_jwt part=sub value=wrong'],
    title: 'Takes a client assertion whatever its sub',
    without: ['client-assertion/sub'],
  }),
  fault({
    id: 'token/assertion-kind-unchecked',
    breaks: ['TOK-14'],
    places: ['endpoint=token client-auth=private_key_jwt part=typ'],
    title: 'Takes for a client assertion what was made for another purpose',
    without: ['client-assertion/kind'],
  }),
  fault({
    id: 'token/assertion-replayed',
    breaks: ['TOK-15'],
    places: ['endpoint=token client-auth=private_key_jwt', 'endpoint=token-info part=replay'],
    title: 'Takes a client assertion as often as it comes',
    without: ['client-assertion/replay'],
  }),
  fault({
    id: 'token/assertion-unsigned',
    breaks: ['TOK-16', 'TOK-39', 'REG-18', 'REG-27', 'REG-24', 'DISC-13', 'SIGN-15', 'SIGN-16', 'SIGN-41', 'REG-37'],
    places: ['HS256', 'HS512', 'none'].map((alg) => `token=client-assertion alg=${alg}`),
    title: 'Takes a client assertion without a look at its signature, whatever its algorithm',
    without: ['client-assertion/algorithm', 'client-assertion/signature'],
  }),
  fault({
    id: 'token/assertion-signature-unchecked',
    breaks: ['TOK-39', 'REG-18', 'REG-27', 'SIGN-16'],
    places: [
      'value=wrong',
      'endpoint=token client-auth=private_key_jwt part=signature',
      'endpoint=token part=signature value=wrong',
      'endpoint=token',
    ],
    title: 'Takes a client assertion without a look at its signature',
    without: ['client-assertion/signature'],
  }),
  fault({
    id: 'token/assertion-expiry-unchecked',
    breaks: ['TOK-38'],
    places: ['endpoint=token client-auth=private_key_jwt part=exp value=wrong'],
    title: 'Takes a client assertion that has expired, or never does',
    without: ['client-assertion/exp'],
  }),
  fault({
    id: 'token/assertion-without-jti',
    breaks: ['TOK-38'],
    places: ['endpoint=token client-auth=private_key_jwt part=jti value=missing'],
    title: 'Takes a client assertion without jti',
    without: ['client-assertion/jti'],
  }),
  fault({
    id: 'token/algorithm-declared-in-vain',
    breaks: ['DISC-15', 'REG-36'],
    places: ['alg=ES512', 'endpoint=token alg=ES512', 'endpoint=token-info', 'endpoint=revoke'],
    title: 'Refuses ES512 in client assertions, though it is declared',
    request: Object.fromEntries(
      (['POST /token', 'POST /token-info', 'POST /revoke'] as const).map((route) => [route, refuseEs512]),
    ),
  }),
]

function refuseEs512(form: URLSearchParams): void {
  const [header = ''] = (form.get('client_assertion') ?? '').split('.')
  if (Buffer.from(header, 'base64url').toString().includes('"ES512"'))
    form.set('client_assertion', `${header}.e30.AAAA`)
}

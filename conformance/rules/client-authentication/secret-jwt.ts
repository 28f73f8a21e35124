import { anotherClient } from '../../bank/client-metadata.js'
import type { Client } from '../../bank/registration.js'
import { inStep } from '../../bank/steps.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { Signer } from '../../service/assertions.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { unsigned, wrongAudiences, wrongLifetimes, wrongNames, wrongSignatures } from '../support/assertion-flaws.js'
import { bySecretJwt, needMethod } from '../support/client-methods.js'
import { warnOfOddTypes } from '../support/odd-assertions.js'
import { refuseEach } from '../support/proof-endpoints.js'
import { expectOnce } from '../support/proof-replay.js'

const clientMetadata = bySecretJwt('HS512')
const endpoints = ['token', 'token-info', 'revoke']

/** Signs with a secret as if it were the client's. */
function secretSigner(secret: string): Signer {
  return { alg: 'HS512', privateKey: new TextEncoder().encode(secret) }
}

/** Another client, whose secret the bank is seen to know. */
async function knownClient({ bank, expect }: Tools): Promise<Client> {
  const client = await bank.client({ ...anotherClient, ...clientMetadata })
  await inStep('introspection', async () =>
    expect(await bank.introspection.try({ client, token: 'a-token-of-nobody' })).toHaveStatus(200),
  )
  return client
}

/** Secrets that are not the client's. */
function otherSecrets({ clientId, clientSecret = '' }: Client, another: Client): Record<string, Signer> {
  return {
    ...(another.clientSecret && { 'by the secret of another client': secretSigner(another.clientSecret) }),
    'by another secret': secretSigner([...clientSecret].reverse().join('')),
    'by the first half of its secret': secretSigner(clientSecret.slice(0, clientSecret.length / 2)),
    'by its client_id': secretSigner(clientId),
  }
}

/** What is asked of an assertion by client_secret as of one by a key ("Client assertion JWT claims"). */
const rows: readonly {
  slug: string
  requirement: string
  title: string
  places: readonly string[]
  check(tools: Tools): Promise<unknown>
}[] = [
  {
    slug: 'claims',
    requirement: 'TOK-14',
    title: 'sub and iss of an assertion by client_secret are the client_id, aud the address of /token',
    places: ['iss', 'sub', 'aud'].map((part) => `endpoint=token client-auth=client_secret_jwt part=${part}`),
    async check(tools) {
      await refuseEach(tools, (asserted) => ({ ...wrongAudiences(asserted), ...wrongNames(asserted) }), {
        clientMetadata,
        at: ['/token'],
      })
      await refuseEach(tools, wrongNames, { clientMetadata, at: ['/token-info'] })
    },
  },
  ...(
    [
      ['/token-info', 'INTR-6'],
      ['/revoke', 'REV-6'],
    ] as const
  ).map(([at, requirement]) => ({
    slug: `audience-at-${at.slice(1)}`,
    requirement,
    title: `aud of an assertion by client_secret is the address of ${at}`,
    places: ['client-auth=client_secret_jwt'],
    check: (tools: Tools) => refuseEach(tools, wrongAudiences, { clientMetadata, at: [at] }),
  })),
  {
    slug: 'replay',
    requirement: 'TOK-15',
    title: 'An assertion by client_secret whose jti was seen before is refused',
    places: endpoints.map((one) => `endpoint=${one} client-auth=client_secret_jwt`),
    check: (tools) => expectOnce(tools, { clientMetadata }),
  },
  {
    slug: 'unsigned',
    requirement: 'TOK-16',
    title: 'An assertion without a signature is refused of a client of client_secret_jwt',
    places: ['client-auth=client_secret_jwt alg=none'],
    check: (tools) =>
      refuseEach(tools, (asserted) => ({ 'without a signature': { jwt: unsigned(tools, asserted) } }), {
        clientMetadata,
      }),
  },
  {
    slug: 'lifetime',
    requirement: 'TOK-38',
    title: 'An assertion by client_secret past its exp, or without exp or jti, is refused',
    places: endpoints.flatMap((one) =>
      ['exp', 'jti'].map((part) => `endpoint=${one} client-auth=client_secret_jwt part=${part}`),
    ),
    async check(tools) {
      await refuseEach(tools, () => wrongLifetimes(tools.service.clock()), { clientMetadata })
      await warnOfOddTypes(tools, { clientMetadata })
    },
  },
  {
    slug: 'signature',
    requirement: 'TOK-39',
    title: 'An assertion by another secret than the client has is refused',
    places: endpoints.flatMap((one) =>
      ['', 'caller=other-client '].map(
        (caller) => `endpoint=${one} ${caller}client-auth=client_secret_jwt part=signature`,
      ),
    ),
    async check(tools) {
      const another = await knownClient(tools)
      await refuseEach(tools, ({ client }) => wrongSignatures(otherSecrets(client, another)), { clientMetadata })
    },
  },
]

/** The table as rules. */
export const secretJwtRules: readonly Rule[] = rows.map(({ slug, requirement, title, places, check }) =>
  rule({
    id: `client-authentication/secret-jwt-${slug}`,
    requirement,
    places,
    title,
    needs: [...toRegister, ...toLogIn],
    async check(tools) {
      await needMethod(tools, 'client_secret_jwt')
      await check(tools)
    },
  }),
)

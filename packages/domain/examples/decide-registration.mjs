// Decides one registration, without a server, a database or a clock: facts in, decision out.
import {
  ClientId,
  RegistrationId,
  TokenHash,
  decideRegistration,
  epochSeconds,
  noPolicy,
  parseRegistrationScope,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'

/** @type {import('@clientele/domain').RegistrationSettings} */
const settings = {
  mode: { kind: 'managed' },
  policy: noPolicy,
  outboundFetches: false,
  issuer: 'https://op.example',
  registrationEndpoint: 'https://op.example/clients',
  initialAccessTokenLifetime: 3600,
  credentials: {
    clientSecretLifetime: 0,
    rotateRegistrationAccessTokenOnUpdate: true,
    rotateClientSecretOnUpdate: true,
  },
}

const hash = pipe(
  TokenHash.decode('digest-of-the-token'),
  E.getOrElseW(() => process.exit(1)),
)
const client_id = pipe(
  ClientId.decode('fresh-client-id'),
  E.getOrElseW(() => process.exit(1)),
)
const registration_id = pipe(
  RegistrationId.decode('fresh-registration-id--'),
  E.getOrElseW(() => process.exit(1)),
)
const at = epochSeconds(Date.parse('2030-01-01T00:00:00Z'))

const decide = (scope, body) =>
  pipe(
    parseRegistrationScope(scope),
    E.flatMap(({ privileges }) =>
      decideRegistration(settings)({
        credential: { kind: 'token', hash },
        token: O.some({
          hash,
          scope,
          privileges,
          expires_at: epochSeconds(Date.parse('2030-01-02T00:00:00Z')),
        }),
        body: E.right(body),
        statement: O.none,
        issued: {
          at,
          client_id,
          registration_id,
          client_secret: 'fresh secret',
          client_secret_padding: 'more of it, where a signature by HMAC needs a longer one',
          registration_access_token: { token: 'fresh token', hash },
        },
      }),
    ),
    E.match(
      (refusal) => {
        // A missing token has no description: RFC 6750 §3.1
        const reason = 'error_description' in refusal ? refusal.error_description : 'a token is needed'
        console.log('refused:', refusal.error, '-', reason)
      },
      ({ client }) => console.log('registered:', client.client_id, client.metadata.grant_types.join(' ')),
    ),
  )

decide('client-reg:grant:code', { redirect_uris: ['https://rp.example/callback'] })
decide('client-reg:grant:code', { grant_types: ['password'] })
decide('client-reg:grant:code', { redirect_uris: ['https://rp.example/#'] })

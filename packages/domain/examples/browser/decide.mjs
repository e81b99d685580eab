// Decides while the user types, without a server. Bundled to decide.js:
// esbuild decide.mjs --bundle --format=esm --alias:fp-ts/lib=fp-ts/es6 --alias:io-ts=io-ts/es6 --outfile=decide.js
import {
  ClientId,
  RegistrationId,
  TokenHash,
  decideRegistration,
  epochSeconds,
  noPolicy,
  parseRegistrationScope,
  parseWellFormedJson,
  secondsAfter,
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
    rotateClientSecretOnUpdate: true,
    rotateRegistrationAccessTokenOnUpdate: true,
  },
}

const decide = (ids, hash, at) => (scope, body) =>
  pipe(
    parseRegistrationScope(scope),
    E.flatMap(({ privileges }) =>
      decideRegistration(settings)({
        credential: { kind: 'token', hash },
        token: O.some({ hash, scope, privileges, expires_at: secondsAfter(at, 60) }),
        body: parseWellFormedJson(body),
        statement: O.none,
        issued: {
          at,
          ...ids,
          client_secret: 'secret',
          client_secret_padding: 'more of it',
          registration_access_token: { token: 'token', hash },
        },
      }),
    ),
    E.match(
      // A missing token has no description: RFC 6750 §3.1
      (refusal) =>
        `refused: ${refusal.error}, ${'error_description' in refusal ? refusal.error_description : 'a token is needed'}`,
      ({ client }) => `registered: ${client.metadata.grant_types.join(', ')}`,
    ),
  )

/** @returns {HTMLInputElement} */
const field = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id))
const scope = field('scope')
const body = field('body')
const decision = field('decision')
const at = epochSeconds(Date.now())

const show = () => {
  decision.value = pipe(
    E.Do,
    E.apSW('client_id', ClientId.decode('fresh-client-id')),
    E.apSW('registration_id', RegistrationId.decode('fresh-registration-id--')),
    E.apSW('hash', TokenHash.decode('digest-of-the-token')),
    E.match(
      () => 'the page is broken',
      ({ hash, ...ids }) => decide(ids, hash, at)(scope.value, body.value),
    ),
  )
}

for (const each of [scope, body]) each.addEventListener('input', show)
show()

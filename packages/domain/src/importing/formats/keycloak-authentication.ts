// How a client of Keycloak authenticates.
import { ownMember } from '../../codec/json-object.js'
import { type ImportFinding, importNote } from '../import-texts.js'
import { type JsonRecord, jsonOf, present, textOf } from './record-parts.js'

const methods: ReadonlyMap<string, string> = new Map([
  ['client-secret', 'client_secret_basic'],
  ['client-jwt', 'private_key_jwt'],
  ['client-secret-jwt', 'client_secret_jwt'],
  ['client-x509', 'tls_client_auth'],
])

const methodOf = (client: JsonRecord): string => {
  if (ownMember(client, 'publicClient') === true) return 'none'
  const authenticator = textOf(client, 'clientAuthenticatorType') ?? 'client-secret'
  // An authenticator of a plugin is named as it is, and refused as an unknown method.
  return methods.get(authenticator) ?? authenticator
}

// An export of the administration console hides secrets, and a vault keeps others.
const hidden = /^(?:\*+|\$\{vault\..*\})$/

const seconds = (text: string | undefined): number | undefined =>
  text === undefined || text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)

const keysOf = (attributes: JsonRecord): JsonRecord => ({
  jwks_uri: textOf(attributes, 'use.jwks.url') === 'true' ? textOf(attributes, 'jwks.url') : undefined,
  jwks: textOf(attributes, 'use.jwks.string') === 'true' ? jsonOf(textOf(attributes, 'jwks.string')) : undefined,
})

export type KeycloakAuthentication = {
  readonly credentials: JsonRecord
  readonly metadata: JsonRecord
  readonly notes: ReadonlyArray<ImportFinding>
}

export const keycloakAuthentication = (client: JsonRecord, attributes: JsonRecord): KeycloakAuthentication => {
  const method = methodOf(client)
  const secret = ownMember(client, 'secret')
  const isHidden = typeof secret === 'string' && hidden.test(secret)
  return {
    credentials: present({
      client_secret: isHidden || secret === '' ? undefined : secret,
      client_secret_expires_at: seconds(textOf(attributes, 'client.secret.expiration.time')),
    }),
    metadata: {
      token_endpoint_auth_method: method,
      token_endpoint_auth_signing_alg: textOf(attributes, 'token.endpoint.auth.signing.alg'),
      tls_client_auth_subject_dn: method === 'tls_client_auth' ? textOf(attributes, 'x509.subjectdn') : undefined,
      ...keysOf(attributes),
    },
    notes: [
      ...(isHidden && method !== 'none' ? [importNote('secret-hidden')('client_secret')] : []),
      ...(method === 'client_secret_basic' ? [importNote('auth-method-chosen')('token_endpoint_auth_method')] : []),
    ],
  }
}

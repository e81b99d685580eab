// The settings of the authorization server.
import { type EngineSettings, engineMetadata } from '@clientele/adapters-oidc-provider'
import type { JsonObject } from '@clientele/domain/kernel'
import { documentPolicy, listedAlgorithms, noPolicy } from '@clientele/domain/policy'
import type { Config } from '../config/settings.js'
import { consentPolicy } from './page-settings.js'

// Scope values that the operator declares are for access tokens without a resource.
const declaredScopes = ({ 'provider-metadata': declared }: Config): ReadonlyArray<string> => {
  const scopes = declared?.['scopes_supported']
  return Array.isArray(scopes) ? scopes.filter((each): each is string => typeof each === 'string') : []
}

type Described = Pick<EngineSettings, 'issuer' | 'signingAlgorithms' | 'scopes'>

const describedSettings = (config: Config, issuer: string): Described => ({
  issuer,
  signingAlgorithms: config['signing-algorithms'],
  scopes: declaredScopes(config),
})

// draft-ietf-oauth-client-id-metadata-document-02 §6
const documentsOf = (config: Config): JsonObject => ({
  client_id_metadata_document_supported:
    documentPolicy(config['registration-policy']?.metadata_documents).accept !== 'none',
})

/** What the authorization server here tells of itself, in place of what the operator declares; nothing without one. */
export const metadataOfEngine = (config: Config, issuer: string): JsonObject => {
  if (config.engine === 'none') return {}
  const policy = config['registration-policy'] ?? noPolicy
  const { allowed_token_endpoint_auth_methods: methods } = policy
  const abilities = { signingAlgorithms: [], providerMetadata: {}, clientSecretLength: config['client-secret-length'] }
  const signatures = listedAlgorithms({ policy, abilities })('token_endpoint_auth_signing_alg')
  return {
    ...engineMetadata({
      ...describedSettings(config, issuer),
      signatures,
      ...(methods === undefined ? {} : { methods }),
    }),
    ...documentsOf(config),
  }
}

/** What instances of the authorization server have in common, and must not show. */
export type EngineSecrets = Pick<EngineSettings, 'cookieKeys' | 'pairwiseSalt'>

export const engineSettings = (config: Config, issuer: string, secrets: EngineSecrets): EngineSettings => ({
  ...describedSettings(config, issuer),
  ...secrets,
  accessTokenLifetime: config['access-token-lifetime'],
  refreshTokenLifetime: config['refresh-token-lifetime'],
  refreshTokenGrace: config['refresh-token-grace'],
  tokensEndWithSession: config['tokens-end-with-session'],
  logoutEndsOfflineAccess: config['logout-ends-offline-access'],
  resources: config['resource-policy'],
  requirePkce: config['require-pkce'],
  introspectionClients: config['introspection-clients'],
  consentPolicy: consentPolicy(config),
  corsOrigins: config['cors-origins'],
})

// Who may learn what a token is: RFC 7662 §2.1 and §4.
import { isNamedBySettings } from '../client/registered-by.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { ResourcePolicy } from './decide-scope.js'

/** In the place of a client_id: each client that the MASTER token registered. */
export const eachClientOfMaster = '*'

export type IntrospectionPolicy = {
  readonly resources: ResourcePolicy | undefined
  /** The resource servers of the operator: they may introspect every access token. */
  readonly introspectionClients: ReadonlyArray<string>
}

/** A token that is in force. */
export type IntrospectedToken = {
  readonly kind: 'access_token' | 'refresh_token'
  /** The client that it was issued to. */
  readonly client_id: string
  /** RFC 8707 §2: the resources that it is for; empty for none in particular. */
  readonly audience: ReadonlyArray<string>
}

export type IntrospectionRequest = {
  /** The authenticated client that asks. */
  readonly client: Pick<RegisteredClient, 'client_id' | 'metadata' | 'registered_by'>
  readonly token: IntrospectedToken
}

// RFC 7662 §2.1: the endpoint requires authentication, which a client without a secret does not have.
const isConfidential = ({ metadata }: IntrospectionRequest['client']): boolean =>
  metadata.token_endpoint_auth_method !== 'none'

const isServerOf =
  ({ client_id }: IntrospectionRequest['client'], { resources = [] }: IntrospectionPolicy) =>
  (audience: string): boolean =>
    resources.some(({ resource, introspected_by = [] }) => resource === audience && introspected_by.includes(client_id))

const isServerOfAll = (
  { client_id }: IntrospectionRequest['client'],
  { introspectionClients }: IntrospectionPolicy,
): boolean => introspectionClients.some((each) => each === client_id || each === eachClientOfMaster)

/**
 * Whether the client learns anything of the token; to others it is not active. A client learns of its own tokens; a
 * resource server that authenticates learns of the access tokens for it. The operator names resource servers by their
 * client_id.
 */
export const permitsIntrospection =
  (policy: IntrospectionPolicy) =>
  ({ client, token }: IntrospectionRequest): boolean => {
    if (token.client_id === client.client_id) return true
    if (token.kind === 'refresh_token' || !isConfidential(client) || !isNamedBySettings(client)) return false
    return isServerOfAll(client, policy) || token.audience.some(isServerOf(client, policy))
  }

// The resources for which a client may get access tokens: RFC 8707.
import * as E from 'fp-ts/lib/Either.js'
import { maxUriLength } from '../client/uri.js'
import { spaceDelimitedValues } from '../codec/space-delimited.js'

export type AccessTokenFormat = 'opaque' | 'jwt'

/** A protected resource of which the operator knows. */
export type ResourceRule = {
  /** RFC 8707 §2: its identifier, an absolute URI without fragment. */
  readonly resource: string
  /** The scope values that mean something to it. */
  readonly scope: ReadonlyArray<string>
  /** The clients that may ask for it; every client where this is left out. */
  readonly clients?: ReadonlyArray<string> | undefined
  /** The clients as which the resource introspects its access tokens (RFC 7662 §4). */
  readonly introspected_by?: ReadonlyArray<string> | undefined
  /** `opaque` tokens are introspected, and end with their grant; `jwt` tokens (RFC 9068) are good until they expire. */
  readonly access_token_format?: AccessTokenFormat | undefined
}

/** Without a policy, every client may ask for every resource, which gets tokens for itself only. */
export type ResourcePolicy = ReadonlyArray<ResourceRule>

/** RFC 8707 §2: the resource is invalid, unknown, or not for this client. */
export type InvalidTarget = { readonly error: 'invalid_target'; readonly error_description: string }

export type ResourceRequest = {
  readonly resource: string
  readonly client: { readonly client_id: string; readonly scope?: string | undefined }
  /** The requested scope values. */
  readonly scope: ReadonlyArray<string>
}

export type PermittedResource = {
  /** RFC 9068 §3: the audience of its access tokens. */
  readonly audience: string
  readonly scope: ReadonlyArray<string>
  readonly format: AccessTokenFormat
}

const invalidTarget = (error_description: string): InvalidTarget => ({ error: 'invalid_target', error_description })
const notAbsolute = invalidTarget(
  'resource must be an absolute URI of scheme https (or http on loopback), without a fragment',
)
const unknownResource = invalidTarget('resource is not one that this client may ask for')

const identifier =
  /^(?:https:\/\/[^\s#/?@]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?)(?:[/?][^\s#]*)?$/i

/** RFC 8707 §2; http on loopback for development, no user info. */
export const isResourceIdentifier = (text: string): boolean => text.length <= maxUriLength && identifier.test(text)

// OpenID Core §5.4, §11, specification §5.1: values for this service itself
const ownValues = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access']
const isForResource = (value: string): boolean => !ownValues.includes(value) && !/^client-reg(?::|$)/.test(value)

const registeredTo = ({ scope }: ResourceRequest['client']): ((value: string) => boolean) => {
  if (scope === undefined) return () => true
  const registered = new Set(spaceDelimitedValues(scope))
  return (value) => registered.has(value)
}

const permitted = (
  { resource, client, scope }: ResourceRequest,
  rule: Pick<ResourceRule, 'scope' | 'access_token_format'>,
): PermittedResource => {
  const known = new Set(rule.scope)
  const isRegistered = registeredTo(client)
  return {
    audience: resource,
    scope: [...new Set(scope)].filter((value) => isForResource(value) && known.has(value) && isRegistered(value)),
    format: rule.access_token_format ?? 'opaque',
  }
}

const isFor = (clientId: string, { clients }: ResourceRule): boolean => clients?.includes(clientId) ?? true

/** RFC 8707 §2.2: the access that the client may ask for at the resource. */
export const decideResource =
  (policy: ResourcePolicy | undefined) =>
  (request: ResourceRequest): E.Either<InvalidTarget, PermittedResource> => {
    const { resource, client, scope } = request
    if (!isResourceIdentifier(resource)) return E.left(notAbsolute)
    if (policy === undefined) return E.right(permitted(request, { scope }))
    const rule = policy.find((each) => each.resource === resource && isFor(client.client_id, each))
    return rule === undefined ? E.left(unknownResource) : E.right(permitted(request, rule))
  }

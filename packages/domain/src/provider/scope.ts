// The scope of tokens, and who may introspect them.
import * as E from 'fp-ts/lib/Either.js'
import { isRegistrationScopeValue } from '../authorization/registrant.js'
import { isDocumented, isNamedBySettings } from '../client/ids.js'
import { isResourceIdentifier } from '../client/uris.js'
import { listThat, optional, valueThat } from '../kernel/faults.js'
import { isSpaceDelimited, objectOf, spaceDelimitedValues } from '../kernel/values.js'
import { type ClientEntries, type ClientEntry, entryAbout, scopeOfEntry } from '../policy/policy.js'
import { type PolicyFault, decodeByTexts } from '../policy/decode.js'
import type { RegisteredClient } from '../registration/registered-client.js'

// The scope of access tokens, and their resources: requested ≤ registered, for every grant. RFC 6749 §3.3, RFC 8707.

type AccessTokenFormat = 'opaque' | 'jwt'

/** A protected resource of which the operator knows. */
type ResourceRule = {
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

export type ScopeSettings = {
  readonly resources: ResourcePolicy | undefined
  /** Values that the operator declares for access tokens without a resource. */
  readonly scopes: ReadonlyArray<string>
  /** What the registration policy in force says of single clients. */
  readonly clients?: ClientEntries
}

export type ScopeRequest = {
  readonly client: Pick<RegisteredClient, 'client_id' | 'metadata' | 'privileges' | 'registered_by'>
  /** Whether an end-user grants the request, or the client asks for itself (RFC 6749 §4.4). */
  readonly grant: 'end_user' | 'client_credentials'
  /** RFC 8707 §2; none for access to the service itself. */
  readonly resources: ReadonlyArray<string>
  readonly requested: ReadonlyArray<string>
  /** What was granted before, for a token by it: the rest of the request is left out. A request without it is refused. */
  readonly granted?: ReadonlyArray<string>
}

/** RFC 8707 §2: the resource is invalid, unknown, or not for this client. */
type InvalidTarget = { readonly error: 'invalid_target'; readonly error_description: string }

/** RFC 6749 §4.1.2.1, §5.2 */
type ScopeRefusal = { readonly error: 'invalid_scope'; readonly error_description: string }

type PermittedResource = {
  /** RFC 9068 §3: the audience of its access tokens. */
  readonly audience: string
  readonly scope: ReadonlyArray<string>
  readonly format: AccessTokenFormat
}

export type PermittedScope = {
  /** Of the request in all. */
  readonly scope: ReadonlyArray<string>
  /** In the order of the request, each with its part. */
  readonly resources: ReadonlyArray<PermittedResource>
}

const invalidTarget = (error_description: string): InvalidTarget => ({ error: 'invalid_target', error_description })
const notAbsolute = invalidTarget(
  'resource must be an absolute URI of scheme https (or http on loopback), without a fragment',
)
const unknownResource = invalidTarget('resource is not one that this client may ask for')
const beyondEntry = invalidTarget(
  'resource is not one that the registration policy gives this client: leave it out, or let the operator add it to resources of the entry in clients about this client',
)

/** OpenID Core §5.4, §11: the values for the service itself, for which every client may ask that registered no scope. */
export const ownScopeValues: ReadonlyArray<string> = [
  'openid',
  'offline_access',
  'profile',
  'email',
  'address',
  'phone',
]

type Holds = (value: string) => boolean

const isOwn: Holds = (value) => ownScopeValues.includes(value)
const isForResources: Holds = (value) => !isOwn(value) && !isRegistrationScopeValue(value)

const registeredScope = ({ metadata: { scope } }: ScopeRequest['client']): ReadonlyArray<string> | undefined =>
  scope === undefined ? undefined : spaceDelimitedValues(scope)

const entryOf = ({ clients }: ScopeSettings, { client_id }: ScopeRequest['client']): ClientEntry | undefined =>
  entryAbout(clients, client_id)

/** Of a client without a scope, what its registrant could have registered; no privilege for it is needed for none. */
const scopeOfClient = (client: ScopeRequest['client']): ReadonlyArray<string> | 'any' =>
  registeredScope(client) ?? client.privileges.scope

const isAmong = (values: ReadonlyArray<string> | 'any'): Holds => {
  if (values === 'any') return () => true
  const all = new Set(values)
  return (value) => all.has(value)
}

// The end-user is asked about values that the service can explain.
const permittedAtService = (settings: ScopeSettings, { client, grant, resources }: ScopeRequest): Holds => {
  const { scopes } = settings
  const isOfEntry = isAmong(scopeOfEntry(entryOf(settings, client)))
  const isRegistered = isAmong(registeredScope(client) ?? ownScopeValues)
  const isKnown = isAmong([...ownScopeValues, ...scopes])
  return (value) =>
    isOfEntry(value) &&
    isRegistered(value) &&
    (grant === 'end_user' ? isKnown(value) : resources.length === 0 || isOwn(value))
}

type Target = Omit<PermittedResource, 'scope'> & { readonly permits: Holds }

// The id of a client with a document is its URL, which no other party can register.
const isFor = (client: ScopeRequest['client'], { clients }: ResourceRule): boolean =>
  clients === undefined || ((isNamedBySettings(client) || isDocumented(client)) && clients.includes(client.client_id))

// RFC 8707 §2.2: the access that the client may ask for at the resource.
const targetOf = (
  settings: ScopeSettings,
  client: ScopeRequest['client'],
  resource: string,
): E.Either<InvalidTarget, Target> => {
  if (!isResourceIdentifier(resource)) return E.left(notAbsolute)
  const { resources: policy } = settings
  const entry = entryOf(settings, client)
  if (entry?.resources?.includes(resource) === false) return E.left(beyondEntry)
  const rule = policy?.find((each) => each.resource === resource && isFor(client, each))
  if (policy !== undefined && rule === undefined) return E.left(unknownResource)
  const isOfClient = isAmong(scopeOfClient(client))
  const isOfEntry = isAmong(scopeOfEntry(entry))
  const isKnown = isAmong(rule?.scope ?? 'any')
  return E.right({
    audience: resource,
    format: rule?.access_token_format ?? 'opaque',
    permits: (value) => isForResources(value) && isOfClient(value) && isOfEntry(value) && isKnown(value),
  })
}

const texts = {
  entry:
    'scope has a value that the registration policy does not give this client: leave it out, or let the operator add it to scope of the entry in clients about this client',
  resource:
    'scope has a value for resources alone, and the request names none: send resource (RFC 8707), the URI of the server that asks for the value',
  registered: 'scope has a value that the client did not register: register it in scope, or leave it out',
  permitted:
    'scope has a value that this client may not ask for: register it in scope with a token that permits it, or let the operator add it to open-registration-scopes',
  known:
    'scope has a value that the resource does not know: leave it out, or let the operator add it to resource-policy',
} as const

const reasonWithinEntry = (settings: ScopeSettings, request: ScopeRequest, value: string): keyof typeof texts => {
  const { resources: policy, scopes } = settings
  const { client, grant, resources } = request
  const registered = registeredScope(client)
  if (registered?.includes(value) === false) return 'registered'
  const isOfService = !isForResources(value) || scopes.includes(value)
  const isOfNone = grant === 'client_credentials' && resources.length === 0
  if (isOfService || isOfNone || !isAmong(scopeOfClient(client))(value)) return 'permitted'
  const isKnown = policy?.some((rule) => isFor(client, rule) && rule.scope.includes(value)) ?? true
  return resources.length === 0 && isKnown ? 'resource' : 'known'
}

const reasonFor = (settings: ScopeSettings, request: ScopeRequest, value: string): keyof typeof texts =>
  isAmong(scopeOfEntry(entryOf(settings, request.client)))(value)
    ? reasonWithinEntry(settings, request, value)
    : 'entry'

/**
 * OpenID Core §3.1.2.1: an OpenID request for no resource goes on without values that mean nothing here. One that a resource
 * or the client knows would be missed in the token: the request is refused for it.
 */
const isIgnored = (settings: ScopeSettings, request: ScopeRequest): Holds => {
  const { resources: policy = [], scopes } = settings
  const { client, grant, requested, resources } = request
  if (grant !== 'end_user' || !requested.includes('openid') || resources.length > 0) return () => false
  const ofClient = scopeOfClient(client)
  const known = [
    ...ownScopeValues,
    ...scopes,
    ...(ofClient === 'any' ? [] : ofClient),
    ...policy.flatMap(({ scope }) => scope),
  ]
  return (value) => !isRegistrationScopeValue(value) && !known.includes(value)
}

/**
 * The scope of a request and of each of its resources: what the client registered, and without a registered scope the
 * values of the service itself, and at a resource those that its registrant could have registered.
 */
export const decideScope =
  (settings: ScopeSettings) =>
  (request: ScopeRequest): E.Either<InvalidTarget | ScopeRefusal, PermittedScope> => {
    const targets = E.traverseArray((resource: string) => targetOf(settings, request.client, resource))(
      request.resources,
    )
    if (E.isLeft(targets)) return targets
    const ofService = permittedAtService(settings, request)
    const wasGranted = isAmong(request.granted ?? 'any')
    const requested = [...new Set(request.requested)]
    const isPermitted: Holds = (value) =>
      wasGranted(value) && (ofService(value) || targets.right.some(({ permits }) => permits(value)))
    const scope = requested.filter(isPermitted)
    if (request.granted === undefined) {
      const isLeftOut = isIgnored(settings, request)
      const refused = requested.find((value) => !isPermitted(value) && !isLeftOut(value))
      if (refused !== undefined)
        return E.left({ error: 'invalid_scope', error_description: texts[reasonFor(settings, request, refused)] })
    }
    return E.right({
      scope,
      resources: targets.right.map(({ permits, ...rest }) => ({ ...rest, scope: scope.filter(permits) })),
    })
  }

const isScopeValue = (value: unknown): value is string =>
  typeof value === 'string' && isSpaceDelimited(value) && !value.includes(' ')

const clientIds = listThat(
  'must be a JSON array of client_ids',
  valueThat('must be a client_id', (value): value is string => typeof value === 'string' && value !== ''),
)

const rules = listThat(
  'must be a JSON array with one object for each resource',
  objectOf<string>({
    object: 'must be a JSON object',
    unknown: 'is unknown: leave it out, or write one of resource, scope, clients, introspected_by, access_token_format',
  })({
    resource: valueThat(
      'must be an absolute URI of scheme https (or http on loopback), without a fragment',
      (value): value is string => typeof value === 'string' && isResourceIdentifier(value),
    ),
    scope: listThat('must be a JSON array of scope values', valueThat('must be one scope value', isScopeValue)),
    clients: optional(clientIds),
    introspected_by: optional(clientIds),
    access_token_format: optional(
      valueThat('must be opaque or jwt', (value): value is AccessTokenFormat => value === 'opaque' || value === 'jwt'),
    ),
  }),
)

/** A parsed JSON value as a policy of resources, or all of its faults. */
export const decodeResourcePolicy: (value: unknown) => E.Either<ReadonlyArray<PolicyFault>, ResourcePolicy> =
  decodeByTexts(rules)

// Who may learn what a token is: RFC 7662 §2.1 and §4.

/** In the place of a client_id: each client that the MASTER token registered. */
export const eachClientOfMaster = '*'

export type IntrospectionPolicy = {
  readonly resources: ResourcePolicy | undefined
  /** The resource servers of the operator: they may introspect every access token. */
  readonly introspectionClients: ReadonlyArray<string>
}

/** A token that is in force. */
type IntrospectedToken = {
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

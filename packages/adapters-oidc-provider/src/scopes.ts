// Scopes and resources (RFC 6749 §3.3, RFC 8707) by the decision of the domain.
import { type PermittedScope, type ScopeRequest, decideScope } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { type KoaContextWithOIDC, type Provider, type ResourceServer, errors } from 'oidc-provider'
import { type EngineClient, registeredOf } from './clients/find-client.js'
import { presentRequest } from './context.js'
import type { EngineSettings } from './ports.js'

type Settings = Pick<EngineSettings, 'resources' | 'scopes'>

const valuesOf = (scope: unknown): ReadonlyArray<string> =>
  typeof scope === 'string' && scope !== '' ? scope.split(' ') : []

const decided = (settings: Settings, request: ScopeRequest): PermittedScope => {
  const permitted = decideScope(settings)(request)
  if (E.isRight(permitted)) return permitted.right
  const { error, error_description } = permitted.left
  throw new errors.CustomOIDCProviderError(error, error_description)
}

/** RFC 6749 §4.1.2.1: an authorization request, pushed or not, is refused before the end-user is asked for anything. */
export const judgeScope =
  (settings: Settings) =>
  ({ oidc: { params = {} } }: KoaContextWithOIDC, requested: string | undefined, client: EngineClient): void => {
    const resources = [params['resource']].flat().filter((each): each is string => typeof each === 'string')
    const request = {
      client: registeredOf(client),
      grant: 'end_user',
      resources,
      requested: valuesOf(requested),
    } as const
    // Without the values that are ignored.
    params['scope'] = decided(settings, request).scope.join(' ')
  }

type Token = InstanceType<Provider['AccessToken'] | Provider['ClientCredentials']>

const scopeOf = (settings: Settings, { client, kind, scope, resourceServer }: Token): string => {
  if (client === undefined) throw new Error('an access token is issued to a client')
  const resources = resourceServer === undefined ? [] : [resourceServer.identifier()]
  const grant = kind === 'ClientCredentials' ? 'client_credentials' : 'end_user'
  const asked =
    grant === 'end_user'
      ? { requested: valuesOf(scope), granted: valuesOf(scope) }
      : { requested: valuesOf(presentRequest()?.oidc.params?.['scope']) }
  const permitted = decided(settings, { client: registeredOf(client), grant, resources, ...asked })
  return (permitted.resources[0] ?? permitted).scope.join(' ')
}

/**
 * Every access token is stored and signed with the permitted scope, whatever led to it: the registration may have changed
 * since the end-user granted it.
 */
export const boundTokens = (
  { AccessToken, ClientCredentials }: Pick<Provider, 'AccessToken' | 'ClientCredentials'>,
  settings: Settings,
): void => {
  for (const { prototype } of [AccessToken, ClientCredentials]) {
    const save: unknown = Reflect.get(prototype, 'save')
    if (typeof save !== 'function') throw new Error('the engine issues access tokens in another way')
    Object.assign(prototype, {
      async save(this: Token): Promise<string> {
        const scope = scopeOf(settings, this)
        if (scope !== (this.scope ?? '')) this.scope = scope
        return Reflect.apply(save as () => Promise<string>, this, [])
      },
    })
  }
}

// At the token endpoint, the scope that was granted counts.
const requestedScope = ({ oidc }: KoaContextWithOIDC): ReadonlyArray<string> => [
  ...valuesOf(oidc.params?.['scope']),
  ...valuesOf(oidc.entities.AuthorizationCode?.scope),
  ...valuesOf(oidc.entities.RefreshToken?.scope),
]

/** What the engine gets to know of a resource; it offers the end-user what the client may ask for there. */
export const resourceServers =
  (settings: Settings & Pick<EngineSettings, 'accessTokenLifetime' | 'signingAlgorithms'>) =>
  (request: KoaContextWithOIDC, resource: string, client: EngineClient): ResourceServer => {
    const grant = request.oidc.params?.['grant_type'] === 'client_credentials' ? 'client_credentials' : 'end_user'
    const requested = requestedScope(request)
    const asked = { client: registeredOf(client), grant, resources: [resource], requested, granted: requested } as const
    const [permitted] = decided(settings, asked).resources
    const [alg] = settings.signingAlgorithms
    const format = permitted?.format ?? 'opaque'
    return {
      audience: permitted?.audience ?? resource,
      scope: (permitted?.scope ?? []).join(' '),
      accessTokenTTL: settings.accessTokenLifetime,
      accessTokenFormat: format,
      ...(format === 'jwt' ? ({ jwt: { sign: { alg } } } as Pick<ResourceServer, 'jwt'>) : {}),
    }
  }

// RFC 8707 by the decision of the domain.
import { type PermittedResource, decideResource } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type KoaContextWithOIDC, type ResourceServer, errors } from 'oidc-provider'
import type { EngineClient } from './clients/find-client.js'
import type { EngineSettings } from './ports.js'

const valuesOf = (scope: unknown): ReadonlyArray<string> =>
  typeof scope === 'string' && scope !== '' ? scope.split(' ') : []

// At the token endpoint, the scope that was granted counts.
const requestedScope = ({ oidc }: KoaContextWithOIDC): ReadonlyArray<string> => [
  ...valuesOf(oidc.params?.['scope']),
  ...valuesOf(oidc.entities.AuthorizationCode?.scope),
  ...valuesOf(oidc.entities.RefreshToken?.scope),
]

type SigningAlgorithm = NonNullable<Exclude<NonNullable<ResourceServer['jwt']>['sign'], false | undefined>>['alg']

export const resourceServers =
  ({ resources, accessTokenLifetime, signingAlgorithms }: EngineSettings) =>
  (request: KoaContextWithOIDC, resource: string, client: EngineClient): ResourceServer => {
    const permitted = decideResource(resources)({
      resource,
      client: { client_id: client.clientId, scope: registeredScope(client) },
      scope: requestedScope(request),
    })
    if (E.isLeft(permitted)) throw new errors.InvalidTarget(permitted.left.error_description)
    const [alg] = signingAlgorithms
    return describe(permitted.right, accessTokenLifetime, alg as SigningAlgorithm)
  }

// A client that registered no scope may ask a resource for any value.
const registeredScope = ({ registeredScope: scope }: EngineClient): string | undefined =>
  typeof scope === 'string' ? scope : undefined

const describe = (
  { audience, scope, format }: PermittedResource,
  accessTokenTTL: number,
  alg: SigningAlgorithm,
): ResourceServer => ({
  audience,
  scope: scope.join(' '),
  accessTokenTTL,
  accessTokenFormat: format,
  ...(format === 'jwt' ? ({ jwt: { sign: { alg } } } as Pick<ResourceServer, 'jwt'>) : {}),
})

// RFC 7662 §4 by the decision of the domain.
import { permitsIntrospection } from '@clientele/domain/provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { type EngineClient, registeredOf } from './clients/find-client.js'
import type { EngineSettings } from './ports.js'

/** An access token of a client or of an end-user, or a refresh token. */
type Token = {
  readonly kind?: string
  readonly clientId?: string | undefined
  readonly aud?: string | ReadonlyArray<string> | undefined
}

/** Whether the token is shown to the client; to others it is not active. */
export const introspectionPolicy = (
  settings: Pick<EngineSettings, 'resources' | 'introspectionClients'>,
): ((request: KoaContextWithOIDC, client: EngineClient, token: Token) => boolean) => {
  const permits = permitsIntrospection(settings)
  return (_request, client, { kind, clientId = '', aud = [] }) =>
    permits({
      client: registeredOf(client),
      token: {
        kind: kind === 'RefreshToken' ? 'refresh_token' : 'access_token',
        client_id: clientId,
        audience: typeof aud === 'string' ? [aud] : aud,
      },
    })
}

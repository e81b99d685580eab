import type { ArtefactKind } from '@clientele/domain/provider'

/** The models of the engine that are stored, and the kind of each. */
const kinds: Readonly<Record<string, ArtefactKind>> = {
  Session: 'session',
  Grant: 'grant',
  Interaction: 'interaction',
  AuthorizationCode: 'authorization_code',
  AccessToken: 'access_token',
  RefreshToken: 'refresh_token',
  ClientCredentials: 'client_credentials',
  PushedAuthorizationRequest: 'pushed_authorization_request',
  ReplayDetection: 'replay',
}

export const kindOf = (model: string): ArtefactKind | undefined =>
  Object.hasOwn(kinds, model) ? kinds[model] : undefined

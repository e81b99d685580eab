import type { RequiredClaims, UpstreamMapping } from '@clientele/domain/provider'

export type UpstreamSettings = UpstreamMapping & {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly clientAuthentication: 'client_secret_basic' | 'client_secret_post'
  readonly scope: ReadonlyArray<string>
  /** What the claims must be for the end-user to sign in here. */
  readonly required: RequiredClaims
}

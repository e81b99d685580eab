/** OpenID Discovery §3, RFC 8414 §2: what of the provider metadata this service knows. */
export type ProviderMetadata = {
  readonly issuer: string
  readonly registration_endpoint: string
}

export const describeProvider = (settings: {
  readonly issuer: string
  readonly registrationEndpoint: string
}): ProviderMetadata => ({
  issuer: settings.issuer,
  registration_endpoint: settings.registrationEndpoint,
})

// The modules of the OpenID Foundation's conformance suite for OpenID Providers, by certification plan, under their own
// names, and what each says of this service.

/** What the metadata do not offer: a list without the value, or a member that is false. */
export type Lack = { readonly member: string; readonly value: string | false }

export type Outcome =
  | { readonly result: 'passes' }
  /** The suite does not run the module, because the metadata lack what it is about. */
  | { readonly result: 'skipped'; readonly lack: Lack }
  /** The suite lets the module pass, with a warning. */
  | { readonly result: 'warns'; readonly lack?: Lack; readonly reason: string }
  /** The suite fails the module, because the service decided otherwise. */
  | { readonly result: 'refused'; readonly lack?: Lack; readonly reason: string }

const passes = { result: 'passes' } as const

const lacks = (member: string, value: string | false): Lack => ({ member, value })

const noUnsignedIdTokens = { result: 'skipped', lack: lacks('id_token_signing_alg_values_supported', 'none') } as const
const noUnsignedRequests = {
  result: 'skipped',
  lack: lacks('request_object_signing_alg_values_supported', 'none'),
} as const
const basic = {
  'oidcc-server': passes,
  'oidcc-response-type-missing': passes,
  'oidcc-idtoken-signature': passes,
  'oidcc-idtoken-unsigned': noUnsignedIdTokens,
  'oidcc-userinfo-get': passes,
  'oidcc-userinfo-post-header': passes,
  'oidcc-userinfo-post-body': passes,
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': passes,
  'oidcc-scope-profile': passes,
  'oidcc-scope-email': passes,
  'oidcc-scope-address': passes,
  'oidcc-scope-phone': passes,
  'oidcc-scope-all': passes,
  'oidcc-alternate-happy-flow': passes,
  'oidcc-display-page': passes,
  'oidcc-display-popup': passes,
  'oidcc-prompt-login': passes,
  'oidcc-prompt-none-not-logged-in': passes,
  'oidcc-prompt-none-logged-in': passes,
  'oidcc-max-age-1': passes,
  'oidcc-max-age-10000': passes,
  'oidcc-ensure-request-with-unknown-parameter-succeeds': passes,
  'oidcc-id-token-hint': passes,
  'oidcc-login-hint': passes,
  'oidcc-ui-locales': passes,
  'oidcc-claims-locales': passes,
  'oidcc-ensure-request-with-acr-values-succeeds': {
    result: 'warns',
    reason: 'accounts for development have no authentication context class, so that the ID token has no `acr`',
  },
  'oidcc-codereuse': passes,
  'oidcc-codereuse-30seconds': passes,
  'oidcc-ensure-registered-redirect-uri': passes,
  'oidcc-ensure-post-request-succeeds': passes,
  'oidcc-server-client-secret-post': passes,
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': noUnsignedRequests,
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': noUnsignedRequests,
  'oidcc-claims-essential': {
    result: 'warns',
    lack: lacks('claims_parameter_supported', false),
    reason: 'claims are requested by scope, which the consent page shows; the parameter is ignored',
  },
  'oidcc-ensure-request-object-with-redirect-uri': noUnsignedRequests,
  'oidcc-refresh-token': passes,
  'oidcc-ensure-request-with-valid-pkce-succeeds': passes,
} as const

const dynamic = {
  'oidcc-idtoken-rs256': passes,
  'oidcc-idtoken-unsigned': noUnsignedIdTokens,
  'oidcc-userinfo-rs256': passes,
  'oidcc-ensure-redirect-uri-in-authorization-request': passes,
  'oidcc-redirect-uri-query-OK': passes,
  'oidcc-redirect-uri-query-mismatch': passes,
  'oidcc-redirect-uri-query-added': passes,
  'oidcc-redirect-uri-regfrag': passes,
  'oidcc-discovery-endpoint-verification': passes,
  'oidcc-server': passes,
  'oidcc-registration-logo-uri': passes,
  'oidcc-registration-policy-uri': passes,
  'oidcc-registration-tos-uri': passes,
  'oidcc-registration-jwks-uri': passes,
  'oidcc-registration-sector-uri': passes,
  'oidcc-registration-sector-bad': passes,
  'oidcc-server-rotate-keys': passes,
  'oidcc-refresh-token-rp-key-rotation': passes,
  'oidcc-request-uri-unsigned': noUnsignedRequests,
  'oidcc-request-uri-signed-rs256': passes,
  'oidcc-ensure-request-object-with-redirect-uri': noUnsignedRequests,
  'oidcc-refresh-token': passes,
  'oidcc-ensure-client-assertion-with-iss-aud-succeeds': passes,
} as const

const rpInitiatedLogout = {
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': passes,
  'oidcc-rp-initiated-logout': passes,
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': passes,
  'oidcc-rp-initiated-logout-modified-id-token-hint': passes,
  'oidcc-rp-initiated-logout-no-id-token-hint': passes,
  'oidcc-rp-initiated-logout-no-params': passes,
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': passes,
  'oidcc-rp-initiated-logout-no-state': passes,
  'oidcc-rp-initiated-logout-only-state': passes,
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': passes,
  'oidcc-rp-initiated-logout-bad-id-token-hint': passes,
} as const

/** The plans; each has a test file of this folder, whose name is that of the plan without its common parts. */
export const plans = {
  'oidcc-basic-certification-test-plan': { profile: 'Basic OP', modules: basic },
  'oidcc-config-certification-test-plan': {
    profile: 'Config OP',
    modules: { 'oidcc-discovery-endpoint-verification': passes },
  },
  'oidcc-formpost-basic-certification-test-plan': { profile: 'Form Post Basic OP', modules: basic },
  'oidcc-dynamic-certification-test-plan': { profile: 'Dynamic OP', modules: dynamic },
  'oidcc-3rdparty-init-login-certification-test-plan': {
    profile: '3rd Party-Initiated Login OP',
    modules: { 'oidcc-3rd_party-init-login': passes, 'oidcc-3rd_party-init-login-nohttps': passes },
  },
  'oidcc-rp-initiated-logout-certification-test-plan': { profile: 'RP-Initiated OP', modules: rpInitiatedLogout },
  'oidcc-backchannel-rp-initiated-logout-certification-test-plan': {
    profile: 'Back-Channel OP',
    modules: {
      'oidcc-backchannel-logout-discovery-endpoint-verification': passes,
      'oidcc-backchannel-rp-initiated-logout': passes,
    },
  },
  'oidcc-frontchannel-rp-initiated-logout-certification-test-plan': {
    profile: 'Front-Channel OP',
    modules: {
      'oidcc-frontchannel-logout-discovery-endpoint-verification': passes,
      'oidcc-frontchannel-rp-initiated-logout': passes,
    },
  },
} as const

export type PlanName = keyof typeof plans
export type ModuleOf<Plan extends PlanName> = keyof (typeof plans)[Plan]['modules'] & string

export const modulesOf = (plan: PlanName): ReadonlyArray<readonly [string, Outcome]> =>
  Object.entries<Outcome>(plans[plan].modules)

/** Whether the metadata offer it. */
export const isOffered = ({ member, value }: Lack, metadata: Readonly<Record<string, unknown>>): boolean => {
  const found = metadata[member]
  return value === false ? found !== false : !(Array.isArray(found) && !found.includes(value))
}

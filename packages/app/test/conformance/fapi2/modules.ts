// The modules of the FAPI 2.0 Security Profile that are tests of this folder, on the profile fapi2: with private_key_jwt and
// DPoP, OpenID Connect, unsigned requests and plain responses.
import type { Outcome } from '../modules.js'

export const fapi2Plan = 'fapi2-security-profile-final-test-plan'

const passes = { result: 'passes' } as const

export const fapi2Modules = {
  'discovery-end-point-verification': passes,
  'happy-flow': passes,
  'user-rejects-authentication': passes,
  'test-claims-parameter-identity-claims': {
    result: 'skipped',
    lack: { member: 'claims_parameter_supported', value: false },
  },
  'ensure-unsigned-authorization-request-without-using-par-fails': passes,
  'ensure-response-type-code-idtoken-fails': passes,
  'ensure-holder-of-key-required': passes,
  'ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt': passes,
  'ensure-authorization-code-is-bound-to-client': passes,
  'attempt-reuse-authorization-code-after-one-second': passes,
  'ensure-signed-client-assertion-with-RS256-fails': passes,
  'ensure-client-assertion-in-token-endpoint': passes,
  'ensure-client-assertion-with-wrong-aud-fails': passes,
  'refresh-token': passes,
  'par-attempt-reuse-request_uri': passes,
  'par-attempt-to-use-request_uri-for-different-client': passes,
  'par-attempt-invalid-http-method': passes,
  'par-ensure-pkce-required': passes,
  'ensure-pkce-code-verifier-required': passes,
  'incorrect-pkce-code-verifier-rejected': passes,
  'par-plain-pkce-rejected': passes,
  'par-test-array-as-audience-fails': passes,
  'par-test-par-endpoint-url-as-audience-fails': passes,
  'par-test-token-endpoint-url-as-audience-fails': passes,
} as const satisfies Readonly<Record<string, Outcome>>

export type Fapi2Module = keyof typeof fapi2Modules

/** The name as the suite has it. */
export const fapi2Name = (module: string): string => `fapi2-security-profile-final-${module}`

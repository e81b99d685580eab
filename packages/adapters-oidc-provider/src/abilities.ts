// What the engine does of what clients register and of what the metadata documents offer. It does all algorithms of the
// domain.
import { asymmetricAlgorithms, symmetricAlgorithms } from '@clientele/domain/client'

/** RFC 6749 §4; implicit answers contain ID tokens only. */
export const grantTypes = ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'] as const

/** RFC 9700 §2.1.2: no access token is sent in an authorization response. */
export const responseTypes = ['code', 'id_token', 'code id_token', 'none'] as const

export const authMethods = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const

/** By member of client metadata. It binds no token to a certificate. */
export const served = {
  grant_types: grantTypes,
  response_types: responseTypes,
  token_endpoint_auth_method: authMethods,
} as const

/** OpenID Core §5.4 */
export const claimsByScope: Readonly<Record<string, ReadonlyArray<string>>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

/** RFC 7518 §3.1, RFC 8037 §3.1 */
export const clientSignatures = { asymmetric: asymmetricAlgorithms, symmetric: symmetricAlgorithms }

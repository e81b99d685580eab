// What the engine does of what clients register and of what the metadata documents offer.

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

/** The scope values that a client may ask for if it registered none. */
export const commonScopes: ReadonlyArray<string> = ['openid', 'offline_access', ...Object.keys(claimsByScope)]

const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const
const symmetric = ['HS256', 'HS384', 'HS512'] as const

export const clientSignatures = { asymmetric, symmetric }

export const encryptionAlgorithms = [
  'RSA-OAEP',
  'RSA-OAEP-256',
  'RSA-OAEP-384',
  'RSA-OAEP-512',
  'ECDH-ES',
  'ECDH-ES+A128KW',
  'ECDH-ES+A192KW',
  'ECDH-ES+A256KW',
  'A128KW',
  'A192KW',
  'A256KW',
  'A128GCMKW',
  'A192GCMKW',
  'A256GCMKW',
  'dir',
] as const

export const contentEncryptions = [
  'A128CBC-HS256',
  'A192CBC-HS384',
  'A256CBC-HS512',
  'A128GCM',
  'A192GCM',
  'A256GCM',
] as const

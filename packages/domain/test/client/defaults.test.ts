import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { needsSecret, withDefaults } from '../../src/client/metadata.js'

const Defaults = suite('withDefaults')

// OpenID RP Metadata Choices §2
Defaults('of what a client supports, the default is used if it is there', () => {
  const metadata = withDefaults({
    id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    subject_types_supported: ['pairwise', 'public'],
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'],
    id_token_encrypted_response_alg: 'RSA-OAEP',
    id_token_encryption_enc_values_supported: ['A256GCM', 'A128CBC-HS256'],
  })
  assert.is(metadata.id_token_signed_response_alg, 'RS256')
  assert.is(metadata.subject_type, 'public')
  assert.is(metadata.token_endpoint_auth_method, 'client_secret_basic')
  assert.is(metadata.id_token_encrypted_response_enc, 'A128CBC-HS256')
})

Defaults('of what a client supports without the default, the first that is known here is used', () => {
  const metadata = withDefaults({
    id_token_signing_alg_values_supported: ['of-tomorrow', 'ES256', 'PS256'],
    subject_types_supported: ['of-tomorrow', 'pairwise'],
    token_endpoint_auth_methods_supported: ['of-tomorrow', 'private_key_jwt', 'none'],
    id_token_encrypted_response_alg: 'RSA-OAEP',
    id_token_encryption_enc_values_supported: ['of-tomorrow', 'A256GCM', 'A128GCM'],
  })
  assert.is(metadata.id_token_signed_response_alg, 'ES256')
  assert.is(metadata.subject_type, 'pairwise')
  assert.is(metadata.token_endpoint_auth_method, 'private_key_jwt')
  assert.is(metadata.id_token_encrypted_response_enc, 'A256GCM')
})

Defaults('where nothing is known of what a client supports, the default stands', () => {
  const supported = ['of-tomorrow']
  const metadata = withDefaults({
    id_token_signing_alg_values_supported: supported,
    subject_types_supported: supported,
    token_endpoint_auth_methods_supported: supported,
  })
  assert.is(metadata.id_token_signed_response_alg, 'RS256')
  assert.is(metadata.subject_type, 'public')
  assert.is(metadata.token_endpoint_auth_method, 'client_secret_basic')
})

for (const token_endpoint_auth_method of ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const)
  Defaults(`${token_endpoint_auth_method} takes a secret`, () =>
    assert.ok(needsSecret(withDefaults({ token_endpoint_auth_method }))),
  )

Defaults.run()

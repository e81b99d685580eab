// OpenID RP Metadata Choices §2: lists of the values that a client supports; the member without the list names the
// value in use.
import { tokens } from '../value-types.js'
import { definedIn } from './member.js'

const choices = definedIn('OpenID RP Metadata Choices §2')
const listOf = <const Name extends string>(name: Name) =>
  choices(tokens, `All that the client supports of ${name}`, { listOf: name })

export const choiceMembers = {
  subject_types_supported: listOf('subject_type'),
  token_endpoint_auth_methods_supported: listOf('token_endpoint_auth_method'),
  token_endpoint_auth_signing_alg_values_supported: listOf('token_endpoint_auth_signing_alg'),
  id_token_signing_alg_values_supported: listOf('id_token_signed_response_alg'),
  id_token_encryption_alg_values_supported: listOf('id_token_encrypted_response_alg'),
  id_token_encryption_enc_values_supported: listOf('id_token_encrypted_response_enc'),
  userinfo_signing_alg_values_supported: listOf('userinfo_signed_response_alg'),
  userinfo_encryption_alg_values_supported: listOf('userinfo_encrypted_response_alg'),
  userinfo_encryption_enc_values_supported: listOf('userinfo_encrypted_response_enc'),
  request_object_signing_alg_values_supported: listOf('request_object_signing_alg'),
  request_object_encryption_alg_values_supported: listOf('request_object_encryption_alg'),
  request_object_encryption_enc_values_supported: listOf('request_object_encryption_enc'),
  authorization_signing_alg_values_supported: listOf('authorization_signed_response_alg'),
  authorization_encryption_alg_values_supported: listOf('authorization_encrypted_response_alg'),
  authorization_encryption_enc_values_supported: listOf('authorization_encrypted_response_enc'),
  introspection_signing_alg_values_supported: listOf('introspection_signed_response_alg'),
  introspection_encryption_alg_values_supported: listOf('introspection_encrypted_response_alg'),
  introspection_encryption_enc_values_supported: listOf('introspection_encrypted_response_enc'),
  backchannel_token_delivery_modes_supported: listOf('backchannel_token_delivery_mode'),
  backchannel_authentication_request_signing_alg_values_supported: listOf(
    'backchannel_authentication_request_signing_alg',
  ),
}

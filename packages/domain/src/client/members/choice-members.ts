// OpenID RP Metadata Choices §2: lists of the values that a client supports; the member without the list names the
// value in use.
import type { ValueType } from '../../codec/value-type.js'
import { tokens } from '../value-types.js'
import { type Member, definedIn } from './member.js'
import { cibaMembers, responseMembers } from './extension-members.js'
import { oauthMembers } from './oauth-members.js'
import { openidMembers } from './openid-members.js'

const chosenFrom = {
  token_endpoint_auth_method: oauthMembers.token_endpoint_auth_method,
  ...openidMembers,
  ...responseMembers,
  ...cibaMembers,
}

/**
 * Each member with one value, and the list from which it is chosen. The lists in the provider metadata have the same
 * names.
 */
export const listOfMember = {
  subject_type: 'subject_types_supported',
  token_endpoint_auth_method: 'token_endpoint_auth_methods_supported',
  token_endpoint_auth_signing_alg: 'token_endpoint_auth_signing_alg_values_supported',
  id_token_signed_response_alg: 'id_token_signing_alg_values_supported',
  id_token_encrypted_response_alg: 'id_token_encryption_alg_values_supported',
  id_token_encrypted_response_enc: 'id_token_encryption_enc_values_supported',
  userinfo_signed_response_alg: 'userinfo_signing_alg_values_supported',
  userinfo_encrypted_response_alg: 'userinfo_encryption_alg_values_supported',
  userinfo_encrypted_response_enc: 'userinfo_encryption_enc_values_supported',
  request_object_signing_alg: 'request_object_signing_alg_values_supported',
  request_object_encryption_alg: 'request_object_encryption_alg_values_supported',
  request_object_encryption_enc: 'request_object_encryption_enc_values_supported',
  authorization_signed_response_alg: 'authorization_signing_alg_values_supported',
  authorization_encrypted_response_alg: 'authorization_encryption_alg_values_supported',
  authorization_encrypted_response_enc: 'authorization_encryption_enc_values_supported',
  introspection_signed_response_alg: 'introspection_signing_alg_values_supported',
  introspection_encrypted_response_alg: 'introspection_encryption_alg_values_supported',
  introspection_encrypted_response_enc: 'introspection_encryption_enc_values_supported',
  backchannel_token_delivery_mode: 'backchannel_token_delivery_modes_supported',
  backchannel_authentication_request_signing_alg: 'backchannel_authentication_request_signing_alg_values_supported',
} as const

export type ChosenMember = keyof typeof listOfMember

export const isChosenMember = (name: string): name is ChosenMember => Object.hasOwn(listOfMember, name)

export const chosenMembers = Object.keys(listOfMember).filter(isChosenMember)

/** The values of the member that this service knows. */
export const knownValues = (member: ChosenMember): ReadonlyArray<string> => chosenFrom[member].type.values

const choices = definedIn('OpenID RP Metadata Choices §2')

const listOf = (member: ChosenMember): Member<ReadonlyArray<string>> => {
  const type: ValueType<ReadonlyArray<string>> = tokens
  return choices(type, `All that the client supports of ${member}`)
}

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

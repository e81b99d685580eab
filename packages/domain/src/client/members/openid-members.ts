import { contentEncryption, encryptionAlgorithm, signingAlgorithm, signingAlgorithmOrNone } from '../algorithms.js'
import { booleanType, secondsType } from '../../codec/value-type.js'
import { fetchedUri, httpsUri, requestUris, subjectType, tokens, uris, webUri } from '../value-types.js'
import { definedIn } from './member.js'

const registration = definedIn('OpenID Registration §2')
const withAlgorithm = '`A128CBC-HS256` when the member with `_alg` is there'

export const openidMembers = {
  sector_identifier_uri: registration(fetchedUri, 'A list of redirection URIs that share pairwise subjects'),
  subject_type: registration(subjectType, 'Whether every client sees the same subject', '`public`'),
  id_token_signed_response_alg: registration(
    signingAlgorithmOrNone,
    'Signs the ID token',
    '`RS256`, or else the first that can be done',
  ),
  id_token_encrypted_response_alg: registration(encryptionAlgorithm, 'Encrypts the key of the ID token'),
  id_token_encrypted_response_enc: registration(contentEncryption, 'Encrypts the ID token', withAlgorithm),
  userinfo_signed_response_alg: registration(signingAlgorithm, 'Signs the UserInfo response'),
  userinfo_encrypted_response_alg: registration(encryptionAlgorithm, 'Encrypts the key of the UserInfo response'),
  userinfo_encrypted_response_enc: registration(contentEncryption, 'Encrypts the UserInfo response', withAlgorithm),
  request_object_signing_alg: registration(signingAlgorithmOrNone, 'Signs the request objects of the client'),
  request_object_encryption_alg: registration(encryptionAlgorithm, 'Encrypts the key of its request objects'),
  request_object_encryption_enc: registration(contentEncryption, 'Encrypts its request objects', withAlgorithm),
  token_endpoint_auth_signing_alg: registration(signingAlgorithm, 'Signs the assertion that authenticates the client'),
  default_max_age: registration(secondsType, 'Seconds after which people authenticate anew'),
  require_auth_time: registration(booleanType, 'Whether the ID token says when'),
  default_acr_values: registration(tokens, 'Authentication context classes, the preferred first'),
  initiate_login_uri: registration(httpsUri, 'Where others may start a login at the client'),
  request_uris: registration(requestUris, 'Where its request objects stand'),
}

export const logoutMembers = {
  post_logout_redirect_uris: definedIn('OpenID RP-Initiated Logout §3.1')(uris, 'Where people may return after logout'),
  frontchannel_logout_uri: definedIn('OpenID Front-Channel Logout §2')(webUri, 'Loaded by the browser at logout'),
  frontchannel_logout_session_required: definedIn('OpenID Front-Channel Logout §2')(
    booleanType,
    'Whether iss and sid are added to it',
  ),
  backchannel_logout_uri: definedIn('OpenID Back-Channel Logout §2.2')(fetchedUri, 'Where logout tokens are sent'),
  backchannel_logout_session_required: definedIn('OpenID Back-Channel Logout §2.2')(
    booleanType,
    'Whether logout tokens name the session',
  ),
}

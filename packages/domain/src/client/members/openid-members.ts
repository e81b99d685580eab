import { encryptionAlgorithm, signingAlgorithm, signingAlgorithmOrNone } from '../algorithms.js'
import { booleanType, secondsType } from '../../codec/value-type.js'
import { fetchedUri, httpsUri, requestUris, subjectType, tokens, redirectionUris, webUri } from '../value-types.js'
import { contentOf, definedIn, ofClient, ofProvider, redirects } from './member.js'

const openid = definedIn('OpenID Registration §2')
const rpInitiated = definedIn('OpenID RP-Initiated Logout §3.1')
const frontchannel = definedIn('OpenID Front-Channel Logout §2')
const backchannel = definedIn('OpenID Back-Channel Logout §2.2')

export const openidMembers = {
  sector_identifier_uri: openid(fetchedUri, 'A list of redirection URIs that share pairwise subjects'),
  subject_type: openid(subjectType, 'Whether every client sees the same subject', { default: 'public' }),
  id_token_signed_response_alg: openid(signingAlgorithmOrNone, 'Signs the ID token', {
    keyOf: 'provider',
    byDefault: '`RS256`, or else the first that can be done',
  }),
  id_token_encrypted_response_alg: openid(encryptionAlgorithm, 'Encrypts the key of the ID token', ofClient),
  id_token_encrypted_response_enc: contentOf(openid, 'the ID token', 'id_token_encrypted_response_alg'),
  userinfo_signed_response_alg: openid(signingAlgorithm, 'Signs the UserInfo response', ofProvider),
  userinfo_encrypted_response_alg: openid(encryptionAlgorithm, 'Encrypts the key of the UserInfo response', ofClient),
  userinfo_encrypted_response_enc: contentOf(openid, 'the UserInfo response', 'userinfo_encrypted_response_alg'),
  request_object_signing_alg: openid(signingAlgorithmOrNone, 'Signs the request objects of the client', ofClient),
  request_object_encryption_alg: openid(encryptionAlgorithm, 'Encrypts the key of its request objects', ofProvider),
  request_object_encryption_enc: contentOf(openid, 'its request objects', 'request_object_encryption_alg'),
  token_endpoint_auth_signing_alg: openid(
    signingAlgorithm,
    'Signs the assertion that authenticates the client',
    ofClient,
  ),
  default_max_age: openid(secondsType, 'Seconds after which people authenticate anew'),
  require_auth_time: openid(booleanType, 'Whether the ID token says when'),
  default_acr_values: openid(tokens, 'Authentication context classes, the preferred first'),
  initiate_login_uri: openid(httpsUri, 'Where others may start a login at the client'),
  request_uris: openid(requestUris, 'Where its request objects stand'),
}

export const logoutMembers = {
  post_logout_redirect_uris: rpInitiated(redirectionUris, 'Where people may return after logout', redirects),
  frontchannel_logout_uri: frontchannel(webUri, 'Loaded by the browser at logout'),
  frontchannel_logout_session_required: frontchannel(booleanType, 'Whether iss and sid are added to it'),
  backchannel_logout_uri: backchannel(fetchedUri, 'Where logout tokens are sent'),
  backchannel_logout_session_required: backchannel(booleanType, 'Whether logout tokens name the session'),
}

import { asymmetricAlgorithm, encryptionAlgorithm, signingAlgorithm } from '../algorithms.js'
import { booleanType } from '../../codec/value-type.js'
import { credentialFormats } from '../credential-formats.js'
import { ipAddress } from '../../codec/ip-address.js'
import {
  deliveryMode,
  distinguishedName,
  emailAddress,
  hostName,
  httpsUri,
  launchUri,
  longText,
  registrationTypes,
  responseModes,
  someTokens,
  text,
  texts,
  tokens,
  uri,
  redirectionUris,
  webUri,
} from '../value-types.js'
import { contentOf, definedIn, languageTagged, ofClient, ofProvider, redirects } from './member.js'

const mutualTls = definedIn('RFC 8705 §2.1.2')
const jarm = definedIn('JARM §3')
const rfc9701 = definedIn('RFC 9701 §6')
const ciba = definedIn('CIBA §4')
const federation = definedIn('OpenID Federation §5.1.2')
const informational = definedIn('OpenID Federation §5.2.2')
const nfv = definedIn('ETSI GS NFV-SEC 022')
const boundTokens = definedIn('RFC 8705 §3.4')
const fapi = definedIn('FAPI 2 Security Profile §5.2.2.1.1')
const presentations = definedIn('OpenID for Verifiable Presentations §11.1')
const presentationRequests = definedIn('OpenID for Verifiable Presentations §5.1')
const credentialIssuance = definedIn('OpenID for Verifiable Credential Issuance §12.1')
const subject = { certificateSubject: true } as const

export const requestMembers = {
  require_signed_request_object: definedIn('RFC 9101 §10.5')(booleanType, 'Whether requests must be signed'),
  require_pushed_authorization_requests: definedIn('RFC 9126 §6')(booleanType, 'Whether requests must be pushed'),
  authorization_details_types: definedIn('RFC 9396 §10')(tokens, 'The types of authorization details that it uses'),
  dpop_bound_access_tokens: definedIn('RFC 9449 §5.2')(booleanType, 'Whether its tokens are bound by DPoP'),
  response_modes: definedIn('FAPI 2 Message Signing §5.3.3')(responseModes, 'The response modes that it uses'),
}

export const mutualTlsMembers = {
  tls_client_certificate_bound_access_tokens: boundTokens(booleanType, 'Whether its tokens are bound to a certificate'),
  tls_client_auth_subject_dn: mutualTls(distinguishedName, 'The subject of its certificate (RFC 4514)', subject),
  tls_client_auth_san_dns: mutualTls(hostName, 'The DNS name in its certificate', subject),
  tls_client_auth_san_uri: mutualTls(uri, 'The URI in its certificate', subject),
  tls_client_auth_san_ip: mutualTls(ipAddress, 'The IP address in its certificate', subject),
  tls_client_auth_san_email: mutualTls(emailAddress, 'The email address in its certificate', subject),
  use_mtls_endpoint_aliases: fapi(booleanType, 'Whether it uses the endpoints for mutual TLS'),
}

export const responseMembers = {
  authorization_signed_response_alg: jarm(signingAlgorithm, 'Signs the authorization response', ofProvider),
  authorization_encrypted_response_alg: jarm(
    encryptionAlgorithm,
    'Encrypts the key of the authorization response',
    ofClient,
  ),
  authorization_encrypted_response_enc: contentOf(
    jarm,
    'the authorization response',
    'authorization_encrypted_response_alg',
  ),
  introspection_signed_response_alg: rfc9701(signingAlgorithm, 'Signs the introspection response', ofProvider),
  introspection_encrypted_response_alg: rfc9701(
    encryptionAlgorithm,
    'Encrypts the key of the introspection response',
    ofClient,
  ),
  introspection_encrypted_response_enc: contentOf(
    rfc9701,
    'the introspection response',
    'introspection_encrypted_response_alg',
  ),
}

export const cibaMembers = {
  backchannel_token_delivery_mode: ciba(deliveryMode, 'How it gets tokens of a backchannel authentication'),
  backchannel_client_notification_endpoint: ciba(httpsUri, 'Where it is notified, for ping and push'),
  backchannel_authentication_request_signing_alg: ciba(
    asymmetricAlgorithm,
    'Signs its authentication requests',
    ofClient,
  ),
  backchannel_user_code_parameter: ciba(booleanType, 'Whether it sends a user code'),
}

export const federationMembers = {
  client_registration_types: federation(registrationTypes, 'The ways of registration that it uses'),
  organization_name: informational(text, 'The organization that owns the client', languageTagged),
  organization_uri: informational(webUri, 'A page about that organization', languageTagged),
  description: informational(longText, 'What the client is, in a few words for people', languageTagged),
  keywords: informational(texts, 'Words by which people find the client', languageTagged),
  information_uri: informational(webUri, 'A page with more about the client', languageTagged),
  signed_jwks_uri: definedIn('OpenID Federation §5.2.1')(httpsUri, 'Where its signed key set stands'),
  claims_redirect_uris: definedIn('UMA Grant §2')(
    redirectionUris,
    'Where people return after claims gathering',
    redirects,
  ),
}

export const nfvMembers = {
  nfv_token_signed_response_alg: nfv(signingAlgorithm, 'Signs the access tokens of network functions', ofProvider),
  nfv_token_encrypted_response_alg: nfv(encryptionAlgorithm, 'Encrypts the key of those tokens', ofClient),
  nfv_token_encrypted_response_enc: contentOf(nfv, 'those tokens', 'nfv_token_encrypted_response_alg'),
}

export const credentialMembers = {
  vp_formats_supported: presentations(credentialFormats, 'The credential formats that it verifies'),
  encrypted_response_enc_values_supported: presentationRequests(
    someTokens,
    'The content encryptions that it takes in presentations',
  ),
  credential_offer_endpoint: credentialIssuance(launchUri, 'Where a wallet takes credential offers'),
}

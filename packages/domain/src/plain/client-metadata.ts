// npm run generate makes this file from the members of client metadata.
import type { JsonObject } from '../kernel/json-object.js'

type AuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'tls_client_auth'
  | 'self_signed_tls_client_auth'
  | 'none'
type ApplicationType = 'web' | 'native'
type SubjectType = 'public' | 'pairwise'
type SigningAlgorithmOrNone =
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA'
  | 'HS256'
  | 'HS384'
  | 'HS512'
  | 'none'
type EncryptionAlgorithm =
  | 'RSA-OAEP'
  | 'RSA-OAEP-256'
  | 'RSA-OAEP-384'
  | 'RSA-OAEP-512'
  | 'ECDH-ES'
  | 'ECDH-ES+A128KW'
  | 'ECDH-ES+A192KW'
  | 'ECDH-ES+A256KW'
  | 'A128KW'
  | 'A192KW'
  | 'A256KW'
  | 'A128GCMKW'
  | 'A192GCMKW'
  | 'A256GCMKW'
  | 'dir'
type ContentEncryption = 'A128CBC-HS256' | 'A192CBC-HS384' | 'A256CBC-HS512' | 'A128GCM' | 'A192GCM' | 'A256GCM'
type SigningAlgorithm =
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA'
  | 'HS256'
  | 'HS384'
  | 'HS512'
type ResponseMode = 'query' | 'fragment' | 'form_post' | 'jwt' | 'query.jwt' | 'fragment.jwt' | 'form_post.jwt'
type TokenDeliveryMode = 'poll' | 'ping' | 'push'
type AsymmetricAlgorithm =
  'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA'
type ClientRegistrationType = 'automatic' | 'explicit'
type LanguageTagged =
  | 'client_name'
  | 'client_uri'
  | 'logo_uri'
  | 'tos_uri'
  | 'policy_uri'
  | 'organization_name'
  | 'organization_uri'
  | 'description'
  | 'keywords'
  | 'information_uri'

/** RFC 7591 §2: client metadata, with the members that have a default. */
export interface ClientMetadata {
  /** Where the authorization endpoint may send its answer. RFC 7591 §2 */
  readonly redirect_uris?: ReadonlyArray<string>
  /** How the client authenticates. RFC 7591 §2 */
  readonly token_endpoint_auth_method: AuthMethod
  /** The grants that the client uses. RFC 7591 §2 */
  readonly grant_types: ReadonlyArray<string>
  /** What the client asks the authorization endpoint for; the words of a type may stand in any order. RFC 7591 §2 */
  readonly response_types: ReadonlyArray<string>
  /** Where it runs: as a web application, or installed on a device. OpenID Registration §2 */
  readonly application_type: ApplicationType
  /** The name that people read. RFC 7591 §2 */
  readonly client_name?: string
  /** A page about the client. RFC 7591 §2 */
  readonly client_uri?: string
  /** A picture that stands for the client; the consent page shows it if somebody vouches for the client. RFC 7591 §2 */
  readonly logo_uri?: string
  /** The scope values that the client may ask for. RFC 7591 §2 */
  readonly scope?: string
  /** How to reach the people who are responsible for it. RFC 7591 §2 */
  readonly contacts?: ReadonlyArray<string>
  /** A page with its terms of service. RFC 7591 §2 */
  readonly tos_uri?: string
  /** A page about how it uses the data of people. RFC 7591 §2 */
  readonly policy_uri?: string
  /** The URL of its public keys. RFC 7591 §2 */
  readonly jwks_uri?: string
  /** Its public keys. RFC 7591 §2 */
  readonly jwks?: JsonObject
  /** The id of the software, the same for all its instances. RFC 7591 §2 */
  readonly software_id?: string
  /** The version of the software. RFC 7591 §2 */
  readonly software_version?: string
  /** The URL of a list of redirection URIs, whose host is the sector. OpenID Registration §2 */
  readonly sector_identifier_uri?: string
  /** Whether all clients see the same sub, or each sector another. OpenID Registration §2 */
  readonly subject_type: SubjectType
  /** Signs the ID token. OpenID Registration §2 */
  readonly id_token_signed_response_alg: SigningAlgorithmOrNone
  /** Encrypts the key of the ID token. OpenID Registration §2 */
  readonly id_token_encrypted_response_alg?: EncryptionAlgorithm
  /** Encrypts the ID token. OpenID Registration §2 */
  readonly id_token_encrypted_response_enc?: ContentEncryption
  /** Signs the UserInfo response. OpenID Registration §2 */
  readonly userinfo_signed_response_alg?: SigningAlgorithm
  /** Encrypts the key of the UserInfo response. OpenID Registration §2 */
  readonly userinfo_encrypted_response_alg?: EncryptionAlgorithm
  /** Encrypts the UserInfo response. OpenID Registration §2 */
  readonly userinfo_encrypted_response_enc?: ContentEncryption
  /** Signs the request objects of the client. OpenID Registration §2 */
  readonly request_object_signing_alg?: SigningAlgorithmOrNone
  /** Encrypts the key of its request objects. OpenID Registration §2 */
  readonly request_object_encryption_alg?: EncryptionAlgorithm
  /** Encrypts its request objects. OpenID Registration §2 */
  readonly request_object_encryption_enc?: ContentEncryption
  /** Signs the assertion that authenticates the client. OpenID Registration §2 */
  readonly token_endpoint_auth_signing_alg?: SigningAlgorithm
  /** After how many seconds people must sign in anew. OpenID Registration §2 */
  readonly default_max_age?: number
  /** Whether the ID token must say when the end-user signed in. OpenID Registration §2 */
  readonly require_auth_time?: boolean
  /** The authentication context classes it asks for, the best first. OpenID Registration §2 */
  readonly default_acr_values?: ReadonlyArray<string>
  /** The URL at which others may start a login at the client. OpenID Registration §2 */
  readonly initiate_login_uri?: string
  /** The URLs of its request objects. OpenID Registration §2 */
  readonly request_uris?: ReadonlyArray<string>
  /** Where people may return after logout. OpenID RP-Initiated Logout §3.1 */
  readonly post_logout_redirect_uris?: ReadonlyArray<string>
  /** The URL that the browser loads at logout. OpenID Front-Channel Logout §2 */
  readonly frontchannel_logout_uri?: string
  /** Whether that URL gets iss and sid. OpenID Front-Channel Logout §2 */
  readonly frontchannel_logout_session_required?: boolean
  /** The URL to which logout tokens are sent. OpenID Back-Channel Logout §2.2 */
  readonly backchannel_logout_uri?: string
  /** Whether logout tokens name the session. OpenID Back-Channel Logout §2.2 */
  readonly backchannel_logout_session_required?: boolean
  /** Whether its requests must be signed. RFC 9101 §10.5 */
  readonly require_signed_request_object?: boolean
  /** Whether its requests must be pushed. RFC 9126 §6 */
  readonly require_pushed_authorization_requests?: boolean
  /** The types of authorization details that it uses. RFC 9396 §10 */
  readonly authorization_details_types?: ReadonlyArray<string>
  /** Whether its tokens are bound by DPoP. RFC 9449 §5.2 */
  readonly dpop_bound_access_tokens?: boolean
  /** The response modes that it uses. FAPI 2 Message Signing §5.3.3 */
  readonly response_modes?: ReadonlyArray<ResponseMode>
  /** Whether its tokens are bound to a certificate. RFC 8705 §3.4 */
  readonly tls_client_certificate_bound_access_tokens?: boolean
  /** The subject of its certificate (RFC 4514). RFC 8705 §2.1.2 */
  readonly tls_client_auth_subject_dn?: string
  /** The DNS name in its certificate. RFC 8705 §2.1.2 */
  readonly tls_client_auth_san_dns?: string
  /** The URI in its certificate. RFC 8705 §2.1.2 */
  readonly tls_client_auth_san_uri?: string
  /** The IP address in its certificate. RFC 8705 §2.1.2 */
  readonly tls_client_auth_san_ip?: string
  /** The email address in its certificate. RFC 8705 §2.1.2 */
  readonly tls_client_auth_san_email?: string
  /** Whether it uses the endpoints for mutual TLS. FAPI 2 Security Profile §5.2.2.1.1 */
  readonly use_mtls_endpoint_aliases?: boolean
  /** Signs the authorization response. JARM §3 */
  readonly authorization_signed_response_alg?: SigningAlgorithm
  /** Encrypts the key of the authorization response. JARM §3 */
  readonly authorization_encrypted_response_alg?: EncryptionAlgorithm
  /** Encrypts the authorization response. JARM §3 */
  readonly authorization_encrypted_response_enc?: ContentEncryption
  /** Signs the introspection response. RFC 9701 §6 */
  readonly introspection_signed_response_alg?: SigningAlgorithm
  /** Encrypts the key of the introspection response. RFC 9701 §6 */
  readonly introspection_encrypted_response_alg?: EncryptionAlgorithm
  /** Encrypts the introspection response. RFC 9701 §6 */
  readonly introspection_encrypted_response_enc?: ContentEncryption
  /** How it gets tokens of a backchannel authentication. CIBA §4 */
  readonly backchannel_token_delivery_mode?: TokenDeliveryMode
  /** Where it is notified, for ping and push. CIBA §4 */
  readonly backchannel_client_notification_endpoint?: string
  /** Signs its authentication requests. CIBA §4 */
  readonly backchannel_authentication_request_signing_alg?: AsymmetricAlgorithm
  /** Whether it sends a user code. CIBA §4 */
  readonly backchannel_user_code_parameter?: boolean
  /** The ways of registration that it uses. OpenID Federation §5.1.2 */
  readonly client_registration_types?: ReadonlyArray<ClientRegistrationType>
  /** The organization that owns the client. OpenID Federation §5.2.2 */
  readonly organization_name?: string
  /** A page about that organization. OpenID Federation §5.2.2 */
  readonly organization_uri?: string
  /** What the client is, in a few words for people. OpenID Federation §5.2.2 */
  readonly description?: string
  /** Words by which people find the client. OpenID Federation §5.2.2 */
  readonly keywords?: ReadonlyArray<string>
  /** A page with more about the client. OpenID Federation §5.2.2 */
  readonly information_uri?: string
  /** The URL of its signed key set. OpenID Federation §5.2.1 */
  readonly signed_jwks_uri?: string
  /** Where people return after claims gathering. UMA Grant §2 */
  readonly claims_redirect_uris?: ReadonlyArray<string>
  /** Signs the access tokens of network functions. ETSI GS NFV-SEC 022 */
  readonly nfv_token_signed_response_alg?: SigningAlgorithm
  /** Encrypts the key of those tokens. ETSI GS NFV-SEC 022 */
  readonly nfv_token_encrypted_response_alg?: EncryptionAlgorithm
  /** Encrypts those tokens. ETSI GS NFV-SEC 022 */
  readonly nfv_token_encrypted_response_enc?: ContentEncryption
  /** The credential formats that it verifies. OpenID for Verifiable Presentations §11.1 */
  readonly vp_formats_supported?: JsonObject
  /** The content encryptions that it takes in presentations. OpenID for Verifiable Presentations §5.1 */
  readonly encrypted_response_enc_values_supported?: ReadonlyArray<string>
  /** Where it takes credential offers, as a wallet. OpenID for Verifiable Credential Issuance §12.1 */
  readonly credential_offer_endpoint?: string
  /** All values of subject_type that it supports. OpenID RP Metadata Choices §2 */
  readonly subject_types_supported?: ReadonlyArray<string>
  /** All values of token_endpoint_auth_method that it supports. OpenID RP Metadata Choices §2 */
  readonly token_endpoint_auth_methods_supported?: ReadonlyArray<string>
  /** All values of token_endpoint_auth_signing_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly token_endpoint_auth_signing_alg_values_supported?: ReadonlyArray<string>
  /** All values of id_token_signed_response_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly id_token_signing_alg_values_supported?: ReadonlyArray<string>
  /** All values of id_token_encrypted_response_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly id_token_encryption_alg_values_supported?: ReadonlyArray<string>
  /** All values of id_token_encrypted_response_enc that it supports. OpenID RP Metadata Choices §2 */
  readonly id_token_encryption_enc_values_supported?: ReadonlyArray<string>
  /** All values of userinfo_signed_response_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly userinfo_signing_alg_values_supported?: ReadonlyArray<string>
  /** All values of userinfo_encrypted_response_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly userinfo_encryption_alg_values_supported?: ReadonlyArray<string>
  /** All values of userinfo_encrypted_response_enc that it supports. OpenID RP Metadata Choices §2 */
  readonly userinfo_encryption_enc_values_supported?: ReadonlyArray<string>
  /** All values of request_object_signing_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly request_object_signing_alg_values_supported?: ReadonlyArray<string>
  /** All values of request_object_encryption_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly request_object_encryption_alg_values_supported?: ReadonlyArray<string>
  /** All values of request_object_encryption_enc that it supports. OpenID RP Metadata Choices §2 */
  readonly request_object_encryption_enc_values_supported?: ReadonlyArray<string>
  /** All values of authorization_signed_response_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly authorization_signing_alg_values_supported?: ReadonlyArray<string>
  /** All values of authorization_encrypted_response_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly authorization_encryption_alg_values_supported?: ReadonlyArray<string>
  /** All values of authorization_encrypted_response_enc that it supports. OpenID RP Metadata Choices §2 */
  readonly authorization_encryption_enc_values_supported?: ReadonlyArray<string>
  /** All values of introspection_signed_response_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly introspection_signing_alg_values_supported?: ReadonlyArray<string>
  /** All values of introspection_encrypted_response_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly introspection_encryption_alg_values_supported?: ReadonlyArray<string>
  /** All values of introspection_encrypted_response_enc that it supports. OpenID RP Metadata Choices §2 */
  readonly introspection_encryption_enc_values_supported?: ReadonlyArray<string>
  /** All values of backchannel_token_delivery_mode that it supports. OpenID RP Metadata Choices §2 */
  readonly backchannel_token_delivery_modes_supported?: ReadonlyArray<string>
  /** All values of backchannel_authentication_request_signing_alg that it supports. OpenID RP Metadata Choices §2 */
  readonly backchannel_authentication_request_signing_alg_values_supported?: ReadonlyArray<string>
  /** Custom data, which is stored as it is. this service */
  readonly data?: JsonObject
  /** Members for which an issuer vouches; its values replace those of the body. RFC 7591 §2.3 */
  readonly software_statement?: string
  /** RFC 7591 §2.2: a member in another language, such as client_name#fr. */
  readonly [variant: `${LanguageTagged}#${string}`]: string | ReadonlyArray<string>
}

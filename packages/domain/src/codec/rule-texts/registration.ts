import { ownBound, rule } from './rule-text.js'

const policy = 'the registration policy of the operator'

export const registrationRules = {
  'response-type-grant': rule(
    'needs the matching grant: code needs authorization_code, token and id_token need implicit, in grant_types',
    'RFC 7591 §2.1',
  ),
  'confidential-grant': rule(
    'must not be none while grant_types holds client_credentials or urn:openid:params:grant-type:ciba: choose another method',
    'RFC 6749 §4.4, CIBA §7.1',
  ),
  'response-types-required': rule(
    'must not be empty while grant_types holds authorization_code or implicit',
    'RFC 7591 §2.1',
  ),

  'pairwise-sector': rule(
    'pairwise needs redirect_uris of one host that is not loopback, or a sector_identifier_uri',
    'OpenID Core §8.1',
  ),
  'sector-identifier-off': rule(
    'cannot be checked, because the setting outbound-fetches is off: leave it out, or ask the operator to turn it on',
    'OpenID Registration §5',
  ),
  'sector-identifier': rule(
    'must lead to a JSON array of strings (https on a public address or one in outbound-allowed-networks, at most 64 KiB, within 2.5 seconds, without redirect) that holds every one of redirect_uris',
    'OpenID Registration §5',
  ),

  'ciba-delivery-mode': rule(
    'is required for the grant type urn:openid:params:grant-type:ciba: send poll, ping or push',
    'CIBA §4',
  ),
  'ciba-notification-endpoint': rule('is required for the delivery modes ping and push: send an https URI', 'CIBA §4'),

  'software-statement': rule(
    'must be a JWT in compact form, signed by its issuer with one of its published keys, still in force, with claims that every reader of JSON reads alike',
    'RFC 7591 §2.3',
  ),
  'software-statement-unapproved': rule(
    'is not from an issuer that this service trusts: leave it out, or ask the operator to add the issuer to software-statement-issuers',
    'RFC 7591 §2.3',
  ),
  'software-statement-member': rule(
    'must not stand in a software statement: ask its issuer for one without it',
    'RFC 7591 §2.3',
  ),

  'policy-redirect-host': rule(
    'must be on a host, or have a private-use scheme, that the registration policy allows: use one of those, or ask the operator to add it to allowed_redirect_hosts',
    policy,
  ),
  'policy-required': rule('is required by the registration policy: send it', policy),
  'policy-auth-method': rule('is not among the authentication methods that the registration policy allows', policy),
  'policy-statement': rule(
    'is required by the registration policy: send a software statement of an issuer that this service trusts',
    policy,
  ),
  'policy-software': rule(
    'must be that of software that the registration policy admits: ask the operator to add it to software_statements',
    policy,
  ),
  'policy-software-asserted': rule(
    'must be asserted by a software statement, of an issuer that the registration policy names for this software: ask that issuer for a statement with it',
    policy,
  ),
  'policy-software-version': rule(
    'is not a version of this software that the registration policy admits: update the software',
    policy,
  ),
  'policy-algorithm': rule('is not among the algorithms that the registration policy allows', policy),

  'preferred-client-id': rule(
    'must be 1 to 128 characters of A-Z a-z 0-9 . _ ~ -, other than . and .. and names that every JavaScript object has, such as constructor',
    ownBound,
  ),
  'preferred-client-id-taken': rule('is not available: choose another or leave it out', 'RFC 7591 §3.2.1'),
  'preferred-client-secret': rule('must be 32 to 256 printable ASCII characters', 'RFC 6749 §A.2'),
  'preferred-client-secret-unused': rule(
    'is only for a client that has a secret: choose another token_endpoint_auth_method or leave it out',
    'RFC 7591 §3.2.1',
  ),
  'create-only': rule('can be set only when the client is registered: leave it out of an update', 'RFC 7592 §2.2'),
  'server-issued': rule('is issued by the server and cannot be set: leave it out', 'RFC 7592 §2.2'),
  'client-id-mismatch': rule(
    'must be the client_id of the registration being updated, or be left out',
    'RFC 7592 §2.2',
  ),
  'client-secret-mismatch': rule('must be the current client_secret, or be left out', 'RFC 7592 §2.2'),
  lifetime: rule('must be a whole number of seconds from 1 to 2592000 (30 days)', ownBound),
  'registration-scope': rule(
    'is required: client-reg or client-reg:* values separated by one space; client-reg:scope: needs a scope value after it',
    'RFC 6749 §3.3',
  ),
} as const

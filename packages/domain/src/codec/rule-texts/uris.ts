import { ownBound, registration, rule } from './rule-text.js'

export const uriRules = {
  uri: rule(
    'must be an absolute URI of at most 2048 ASCII characters, without blank, backslash or control character',
    'RFC 3986 §4.3',
  ),
  'uri-fragment': rule('must not have a fragment: leave out # and what follows', 'RFC 6749 §3.1.2'),
  'uri-user-info': rule('must not carry user information: leave out what stands before @', 'RFC 9110 §4.2.4'),
  'uri-host': rule(
    'must name its host plainly: a domain name, a dotted IPv4 address or [::1], without wildcard',
    'RFC 3986 §3.2.2',
  ),
  'uri-dot-segment': rule(
    'must not have . or .. as a segment of its path: write the path that is meant',
    'RFC 3986 §6.2.2.3',
  ),
  'web-uri': rule('must begin with https:// or http://', registration),
  'https-uri': rule('must begin with https://', registration),
  'fetched-port': rule(
    'must name port 443 or one from 1024 to 65535, because this service sends requests to it: serve it at such a port',
    ownBound,
  ),
  'request-uri': rule(
    'must begin with https://, and may end with # and the base64url SHA-256 of the request object (43 characters)',
    'OpenID Core §6.2',
  ),
  'host-name': rule('must be a domain name of at most 253 ASCII characters', 'RFC 8705 §2.1.2'),
  'ip-address': rule('must be an IPv4 address, or an IPv6 address without brackets and zone', 'RFC 8705 §2.1.2'),
  'uri-scheme': rule(
    'must not have a scheme that browsers or operating systems act upon by themselves, such as javascript, file or intent: use https, or a private-use scheme with a period, such as com.example.app',
    'RFC 8252 §8.4',
  ),
  'redirect-uri-web': rule(
    'of a web client must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1]: for a private-use scheme, register with application_type native',
    registration,
  ),
  'redirect-uri-implicit': rule(
    'of a web client with the implicit grant must begin with https:// and not name localhost',
    registration,
  ),
  'redirect-uri-native': rule(
    'of a native client must be http:// on localhost, 127.0.0.1 or [::1], https:// on another host, or have a private-use scheme',
    `${registration}, RFC 8252 §7`,
  ),
  'redirect-uri-private-use': rule(
    'must have a private-use scheme with a period, such as com.example.app, or one that the operator allows: choose such a scheme, or ask the operator to add it to allowed_private_use_schemes',
    'RFC 8252 §7.1, §8.4',
  ),
  'redirect-uri-wildcard': rule('must not have * in its host or path: register each URI in full', 'RFC 9700 §2.1'),
  'redirect-uri-query': rule(
    'must not have code, state, response or error in its query: the answer adds them',
    'RFC 6749 §4.1.2',
  ),
  'redirect-uris-required': rule(
    'is required, because grant_types holds authorization_code (its default) or implicit, or response_types holds none: register at least one',
    'RFC 7591 §2',
  ),
  'redirect-uris-unused': rule(
    'is only for clients that are answered by a redirect: leave it out, add authorization_code or implicit to grant_types, or ask for the response type none',
    'RFC 7591 §2',
  ),
  'frontchannel-origin': rule(
    'must have the scheme, host and port of one of redirect_uris',
    'OpenID Front-Channel Logout §2',
  ),
  'frontchannel-scheme': rule(
    'must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1]',
    'OpenID Front-Channel Logout §2',
  ),
} as const

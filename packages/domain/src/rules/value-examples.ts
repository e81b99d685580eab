import type { uriRules, valueRules } from '../kernel/rule-texts.js'
import { type RuleExample, registering, requesting } from './example.js'

const keys = { jwks_uri: 'https://app.example/keys.json' }
const many = (count: number, entry: (place: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, place) => entry(place))

const patching = requesting('PATCH /manage/v1/clients/{id}')

/** Examples of the rules of values. */
export const valueExamples: Readonly<Record<keyof typeof valueRules, RuleExample>> = {
  'more-faults': registering(
    '',
    'An answer to a small body must stay small: it tells the first 49 faults, and that there are more.',
    { redirect_uris: many(51, (place) => `https://app.example/${place}#`) },
    { redirect_uris: ['https://app.example/0'] },
  ),
  'unknown-member': patching(
    '/client_nam',
    'A patch names what it changes: if a misspelt name were dropped, nobody would see that nothing was changed. A registration drops unknown members, as RFC 7591 says.',
    { client_nam: 'Shop' },
    { client_nam: null, client_name: 'Shop' },
  ),
  'json-object': {
    request: 'POST /clients',
    reason: 'The members of client metadata stand in an object; a list or a text has none.',
    at: '',
    bad: '["https://app.example/callback"]',
    good: '{ "redirect_uris": ["https://app.example/callback"] }',
  },
  number: {
    request: 'POST /clients',
    reason:
      'Most programs read numbers as doubles. A longer one would come back as another number, and nobody would be told.',
    at: '/data/account',
    bad: '{ "redirect_uris": ["https://app.example/callback"], "data": { "account": 9007199254740993 } }',
    good: '{ "redirect_uris": ["https://app.example/callback"], "data": { "account": "9007199254740993" } }',
  },
  'repeated-name': {
    request: 'POST /clients',
    reason:
      'Some programs read the first of two equal names, others the last: what one program has checked, another would not use.',
    at: '/client_name',
    bad: '{ "redirect_uris": ["https://app.example/callback"], "client_name": "Shop", "client_name": "Bank" }',
    good: '{ "redirect_uris": ["https://app.example/callback"], "client_name": "Shop" }',
  },
  string: registering(
    '/client_name',
    'Another type would be read differently by the next program.',
    { client_name: 24 },
    { client_name: '24' },
  ),
  boolean: registering(
    '/require_auth_time',
    'The text "false" counts as true in many programs.',
    { require_auth_time: 'true' },
    { require_auth_time: true },
  ),
  seconds: registering(
    '/default_max_age',
    'A time without a unit is a number of seconds; parts of a second and texts are read in more than one way.',
    { default_max_age: '3600' },
    { default_max_age: 3600 },
  ),
  array: registering(
    '/contacts',
    'The member is a list, also where it has one entry only.',
    { contacts: 'ops@app.example' },
    { contacts: ['ops@app.example'] },
  ),
  'array-size': registering(
    '/contacts',
    'Everybody may register where registration is open, so that what one client stores is bounded.',
    { contacts: many(33, (place) => `person-${place}@app.example`) },
    { contacts: ['team@app.example'] },
  ),
  'array-empty': registering(
    '/keywords',
    'An empty list says nothing here, and cannot be told from a mistake.',
    { keywords: [] },
    { keywords: ['shop'] },
  ),
  'unique-items': registering(
    '/contacts',
    'A repeated entry is a mistake of the program that made the list.',
    { contacts: ['ops@app.example', 'ops@app.example'] },
    { contacts: ['ops@app.example'] },
  ),
  text: registering(
    '/client_name',
    'People read this text before they decide. Control and format characters can turn it around, hide a part of it, or break the page or the terminal that shows it.',
    { client_name: 'Shop\nBank' },
    { client_name: 'Shop Bank' },
  ),
  contact: registering(
    '/contacts/0',
    'Operators read this text and write to it: it must be one line that can be shown.',
    { contacts: [''] },
    { contacts: ['ops@app.example'] },
  ),
  'long-text': registering(
    '/description',
    'People read this text: it must be one paragraph that can be shown.',
    { description: 'A shop.\nFor all.' },
    { description: 'A shop. For all.' },
  ),
  'distinguished-name': registering(
    '/tls_client_auth_subject_dn',
    'The certificate of the client is compared with this name, which is a text in one line.',
    { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=app\nO=Example' },
    { tls_client_auth_subject_dn: 'CN=app,O=Example' },
  ),
  token: registering(
    '/default_acr_values/0',
    'Such words are sent in lists that are separated by spaces, and between quotation marks.',
    { default_acr_values: ['two words'] },
    { default_acr_values: ['urn:example:two-words'] },
  ),
  scope: registering(
    '/scope',
    'A scope is a list of words with one space between them; other blanks are read differently.',
    { scope: 'openid  email' },
    { scope: 'openid email' },
  ),
  data: registering(
    '/data',
    'The object is stored and given back as it is, so that its size, its depth and its numbers are bounded.',
    { data: ['gold'] },
    { data: { plan: 'gold' } },
  ),
  'credential-formats': registering(
    '/vp_formats_supported',
    'Wallets look up what the client verifies by the name of the format.',
    { vp_formats_supported: { 'dc+sd-jwt': 'ES256' } },
    { vp_formats_supported: { 'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'] } } },
  ),
  'language-tag': registering(
    '/client_name#en_US',
    'Pages choose the text by the language of the reader, whose tags have hyphens.',
    { 'client_name#en_US': 'Shop' },
    { 'client_name#en_US': null, 'client_name#en-US': 'Shop' },
  ),
  'language-tag-repeated': registering(
    '/client_name#FR',
    'Two texts in one language contradict each other.',
    { 'client_name#fr': 'Boutique', 'client_name#FR': 'Banque' },
    { 'client_name#FR': null },
  ),
  'language-tags': registering(
    '/client_name',
    'Everybody may register where registration is open, so that what one client stores is bounded.',
    Object.fromEntries(many(65, (place) => `client_name#x-${place}`).map((name) => [name, 'Shop'])),
    Object.fromEntries(many(64, (place) => `client_name#x-${place + 1}`).map((name) => [name, null])),
  ),
  'application-type': registering(
    '/application_type',
    'The type decides which redirection URIs the client may have.',
    { application_type: 'mobile' },
    { application_type: 'native' },
  ),
  'subject-type': registering(
    '/subject_type',
    'The type decides whether two clients can tell that they have the same user.',
    { subject_type: 'private' },
    { subject_type: 'pairwise' },
  ),
  'auth-method': registering(
    '/token_endpoint_auth_method',
    'A client whose method nobody knows could never authenticate.',
    { token_endpoint_auth_method: 'basic' },
    { token_endpoint_auth_method: 'client_secret_basic' },
  ),
  'signing-algorithm': registering(
    '/userinfo_signed_response_alg',
    'These are the algorithms that are still held to be safe.',
    { userinfo_signed_response_alg: 'RS1' },
    { userinfo_signed_response_alg: 'RS256' },
  ),
  'signing-algorithm-or-none': registering(
    '/id_token_signed_response_alg',
    'These are the algorithms that are still held to be safe; their names are in capital letters.',
    { id_token_signed_response_alg: 'rs256' },
    { id_token_signed_response_alg: 'RS256' },
  ),
  'asymmetric-algorithm': registering(
    '/backchannel_authentication_request_signing_alg',
    'The service verifies these requests with the public keys of the client; a shared secret has none.',
    { ...keys, backchannel_authentication_request_signing_alg: 'HS256' },
    { backchannel_authentication_request_signing_alg: 'ES256' },
  ),
  'encryption-algorithm': registering(
    '/id_token_encrypted_response_alg',
    'These are the algorithms that are still held to be safe: RSA1_5 is not (RFC 8725 §3.2).',
    { ...keys, id_token_encrypted_response_alg: 'RSA1_5' },
    { id_token_encrypted_response_alg: 'RSA-OAEP-256' },
  ),
  'content-encryption': registering(
    '/id_token_encrypted_response_enc',
    'The name says the cipher, its key and how the text is authenticated.',
    { ...keys, id_token_encrypted_response_alg: 'RSA-OAEP-256', id_token_encrypted_response_enc: 'AES' },
    { id_token_encrypted_response_enc: 'A128GCM' },
  ),
  'unsupported-algorithm': registering(
    '/userinfo_signed_response_alg',
    'Nothing here has a key for the algorithm, so that every answer to the client would fail.',
    { userinfo_signed_response_alg: 'ES512' },
    { userinfo_signed_response_alg: 'RS256' },
    { given: 'The setting signing-algorithms is RS256.' },
  ),
  'response-mode': registering(
    '/response_modes/0',
    'The mode says how the answer of the authorization endpoint reaches the client.',
    { response_modes: ['post'] },
    { response_modes: ['form_post'] },
  ),
  'token-delivery-mode': registering(
    '/backchannel_token_delivery_mode',
    'The mode says how the client gets its tokens when the user has answered on another device.',
    { backchannel_token_delivery_mode: 'pull' },
    { backchannel_token_delivery_mode: 'poll' },
  ),
  'registration-type': registering(
    '/client_registration_types/0',
    'OpenID Federation knows these two ways of registration.',
    { client_registration_types: ['manual'] },
    { client_registration_types: ['automatic'] },
  ),
  'grant-type': registering(
    '/grant_types/1',
    'The name of a grant is a word or a URI, which requests repeat.',
    { grant_types: ['authorization_code', 'refresh token'] },
    { grant_types: ['authorization_code', 'refresh_token'] },
  ),
  'response-type': registering(
    '/response_types/0',
    'The words of a response type say what the authorization endpoint answers with; it knows no others.',
    { response_types: ['authorization_code'] },
    { response_types: ['code'] },
  ),
}

const native = { application_type: 'native' }
const good = { redirect_uris: ['https://app.example/callback'] }

/** Examples of the rules of URIs. */
export const uriExamples: Readonly<Record<keyof typeof uriRules, RuleExample>> = {
  uri: registering(
    '/client_uri',
    'Programs repair what is no URI, each in its own way: the one that checks it would see another address than the one that opens it.',
    { client_uri: 'app.example' },
    { client_uri: 'https://app.example/' },
  ),
  'uri-fragment': registering(
    '/redirect_uris/0',
    'The answer stands in the query or in the fragment: a registered fragment would be lost, or mixed with the answer.',
    { redirect_uris: ['https://app.example/callback#start'] },
    good,
  ),
  'uri-user-info': registering(
    '/redirect_uris/0',
    'What stands before @ looks like a host to people: this address leads to evil.example.',
    { redirect_uris: ['https://app.example@evil.example/callback'] },
    good,
  ),
  'uri-host': registering(
    '/client_uri',
    'Programs read unusual spellings of a host differently: 127.1 is 127.0.0.1 for some of them.',
    { client_uri: 'https://127.1/' },
    { client_uri: 'https://app.example/' },
  ),
  'uri-dot-segment': registering(
    '/redirect_uris/0',
    'Browsers remove such segments before they open the address, so that the answer would go to another one than the registered one.',
    { redirect_uris: ['https://app.example/shop/../callback'] },
    good,
  ),
  'web-uri': registering(
    '/client_uri',
    'A page links to this address: with another scheme, the link could run a script or start a program.',
    { client_uri: 'ftp://app.example/' },
    { client_uri: 'https://app.example/' },
  ),
  'https-uri': registering(
    '/jwks_uri',
    'What is read without TLS can be replaced on the way, and keys would then be those of somebody else.',
    { jwks_uri: 'http://app.example/keys.json' },
    { jwks_uri: 'https://app.example/keys.json' },
  ),
  'fetched-port': registering(
    '/backchannel_logout_uri',
    'This service sends requests to the address: without the rule, anybody could make it talk to mail and database servers.',
    { backchannel_logout_uri: 'https://app.example:25/logout' },
    { backchannel_logout_uri: 'https://app.example/logout' },
  ),
  'request-uri': registering(
    '/request_uris/0',
    'A request object that is read without TLS can be replaced on the way.',
    { request_uris: ['http://app.example/request.jwt'] },
    { request_uris: ['https://app.example/request.jwt'] },
  ),
  'host-name': registering(
    '/tls_client_auth_san_dns',
    'The name is compared with that in the certificate of the client, letter by letter.',
    { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_dns: '*.app.example' },
    { tls_client_auth_san_dns: 'app.example' },
  ),
  'ip-address': registering(
    '/tls_client_auth_san_ip',
    'The address is compared with that in the certificate of the client.',
    { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_ip: '[2001:db8::1]' },
    { tls_client_auth_san_ip: '2001:db8::1' },
  ),
  'uri-scheme': registering(
    '/redirect_uris/0',
    'The browser or the operating system would act upon the answer by itself, for example run it as a script.',
    { redirect_uris: ['javascript:alert(1)'] },
    good,
  ),
  'redirect-uri-web': registering(
    '/redirect_uris/0',
    'Without TLS, everybody on the way reads the code that the client gets.',
    { application_type: 'web', redirect_uris: ['http://app.example/callback'] },
    good,
  ),
  'redirect-uri-implicit': registering(
    '/redirect_uris/0',
    'The implicit grant sends tokens to this address, where any program of the device could listen.',
    {
      application_type: 'web',
      grant_types: ['implicit'],
      response_types: ['id_token'],
      redirect_uris: ['https://localhost/callback'],
    },
    good,
  ),
  'redirect-uri-native': registering(
    '/redirect_uris/0',
    'An installed application receives the answer on its own device, or at an address with TLS.',
    { ...native, redirect_uris: ['http://app.example/callback'] },
    { redirect_uris: ['http://127.0.0.1/callback'] },
  ),
  'redirect-uri-private-network': registering(
    '/redirect_uris/0',
    'Nobody owns such a host: in another network it is another device, which would receive the code.',
    { ...native, redirect_uris: ['http://192.168.1.5:8123/callback'] },
    { redirect_uris: ['https://home.example/callback'] },
  ),
  'redirect-uri-private-use': registering(
    '/redirect_uris/0',
    'Any application may claim a scheme. One that is a domain name, written backwards, belongs to somebody.',
    { ...native, redirect_uris: ['myapp:/callback'] },
    { redirect_uris: ['com.example.app:/callback'] },
  ),
  'redirect-uri-wildcard': registering(
    '/redirect_uris/0',
    'A pattern matches addresses that the owner of the application never meant, such as an open redirect on the same host.',
    { redirect_uris: ['https://app.example/*'] },
    good,
  ),
  'redirect-uri-query': registering(
    '/redirect_uris/0',
    'The answer adds these parameters: a program that reads the first of two would take the registered one.',
    { redirect_uris: ['https://app.example/callback?state=1'] },
    { redirect_uris: ['https://app.example/callback?tenant=1'] },
  ),
  'redirect-uris-required': registering(
    '/redirect_uris',
    'The service sends codes and tokens to registered addresses alone: a client without one could never get any.',
    { redirect_uris: null, client_name: 'Shop' },
    good,
  ),
  'redirect-uris-unused': registering(
    '/redirect_uris',
    'No grant of this client is answered by a redirect, so that something else was meant.',
    { grant_types: ['client_credentials'] },
    { redirect_uris: null },
  ),
  'frontchannel-origin': registering(
    '/frontchannel_logout_uri',
    'The page of the logout loads this address in a frame: without the rule, it could be a page of somebody else.',
    { frontchannel_logout_uri: 'https://other.example/logout' },
    { frontchannel_logout_uri: 'https://app.example/logout' },
  ),
  'frontchannel-scheme': registering(
    '/frontchannel_logout_uri',
    'The page of the logout has TLS, and browsers load no frame without it there.',
    { frontchannel_logout_uri: 'http://app.example/logout' },
    { frontchannel_logout_uri: 'https://app.example/logout' },
  ),
}

import type { uriRules } from '../kernel/rule-texts.js'
import { type RuleExample, registering } from './example.js'

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

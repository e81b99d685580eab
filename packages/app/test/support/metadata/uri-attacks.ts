// Attack catalogue, B2, row 54: the same invalid values in every other member with a URI.
import { redirect_uris } from '../requests.js'
import { type Attack, bodies, values } from './attack.js'

const badOnPages: Readonly<Record<string, ReadonlyArray<string>>> = {
  'uri-user-info': ['https://u:p@rp.example/', 'https://rp.example@evil.com/'],
  uri: [
    'https:\\\\evil.com',
    'https://аррӏе.com/',
    'https://rp.example/x\r\ny',
    '//evil.com/x',
    '',
    ' https://rp.example/',
  ],
  'uri-host': ['https:/evil.com', 'https://127.1/x', 'https://rp.example:0/'],
  'uri-dot-segment': ['https://rp.example/../x'],
}
const badAnywhere = { 'uri-fragment': ['https://rp.example/x#f', 'https://rp.example/x#'], ...badOnPages }
const refusedSchemes = ['javascript:alert(1)', 'data:text/html,hello', 'ftp://rp.example/x']
const privateUse = 'com.example.app:/x'
const otherSchemes = [...refusedSchemes, privateUse]
const unencrypted = 'http://rp.example/x'

const pageMembers = [
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'client_uri#de',
  'logo_uri#de',
  'policy_uri#de',
  'tos_uri#de',
]
const httpsMembers = [
  'initiate_login_uri',
  'jwks_uri',
  'signed_jwks_uri',
  'sector_identifier_uri',
  'backchannel_logout_uri',
  'backchannel_client_notification_endpoint',
]
const fetchedMembers = ['sector_identifier_uri', 'backchannel_logout_uri']
const lists = ['post_logout_redirect_uris', 'claims_redirect_uris']

const wildcardHost = { 'uri-host': ['https://*.example.com/'] }

const ofEachRule = (rules: Readonly<Record<string, ReadonlyArray<string>>>, member: string): ReadonlyArray<Attack> =>
  Object.entries(rules).map(([rule, uris]) => values('54', member, rule)(...uris))

const entries = (member: string, rule: string, uris: ReadonlyArray<string>): Attack =>
  bodies(
    '54',
    'invalid_client_metadata',
    `/${member}/0 ${rule}`,
  )(...uris.map((uri) => ({ redirect_uris, [member]: [uri] })))

export const uriAttacks: ReadonlyArray<Attack> = [
  ...[...pageMembers, 'frontchannel_logout_uri'].flatMap((member) => [
    ...ofEachRule({ ...badOnPages, 'web-uri': otherSchemes }, member),
    ...ofEachRule(wildcardHost, member),
  ]),
  values('54', 'frontchannel_logout_uri', 'uri-fragment')(...badAnywhere['uri-fragment']),
  ...httpsMembers.flatMap((member) =>
    ofEachRule({ ...badAnywhere, 'https-uri': [...otherSchemes, unencrypted] }, member),
  ),
  ...fetchedMembers.map((member) =>
    values('54', member, 'fetched-port')('https://rp.example:22/', 'https://10.0.0.1:25/', 'https://[::1]:1023/'),
  ),
  values('54', 'frontchannel_logout_uri', 'frontchannel-scheme')(unencrypted),
  values('54', 'frontchannel_logout_uri', 'frontchannel-origin')(
    'https://other.example/out',
    'https://rp.example:8443/out',
    'http://localhost/out',
  ),
  ...lists.flatMap((member) =>
    Object.entries({
      ...badAnywhere,
      'redirect-uri-wildcard': ['https://*.example.com/'],
      'uri-scheme': refusedSchemes,
      'redirect-uri-web': [privateUse, unencrypted],
    }).map(([rule, uris]) => entries(member, rule, uris)),
  ),
  entries('request_uris', 'request-uri', [
    ...Object.values(badAnywhere).flat(),
    ...otherSchemes,
    unencrypted,
    `https://rp.example/x#${'a'.repeat(44)}`,
  ]),
  entries('request_uris', 'fetched-port', ['https://rp.example:22/', `https://[::1]:1023/x#${'a'.repeat(43)}`]),
]

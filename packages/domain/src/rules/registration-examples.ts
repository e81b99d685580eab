import type { registrationRules } from '../kernel/rule-texts.js'
import { type RuleExample, registering, requesting, updating } from './example.js'

const keySet = 'https://app.example/keys.json'
const ciba = 'urn:openid:params:grant-type:ciba'
// Their claims are those of https://directory.example and https://unknown.example about the software shop.
const statement =
  'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL2RpcmVjdG9yeS5leGFtcGxlIiwic29mdHdhcmVfaWQiOiJzaG9wIiwic29mdHdhcmVfdmVyc2lvbiI6IjIuMCJ9.c2lnbmF0dXJl'
const unknownStatement =
  'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL3Vua25vd24uZXhhbXBsZSIsInNvZnR3YXJlX2lkIjoic2hvcCJ9.c2lnbmF0dXJl'
const trusted = 'The setting software-statement-issuers names https://directory.example.'
const issuing = requesting('POST /direct-authz', { scope: 'client-reg:grant:code' })
const stating = requesting('a software statement of POST /clients', { iss: 'https://directory.example' })

/** Examples of the rules of registrations, those of the policy among them. */
export const registrationExamples: Readonly<Record<keyof typeof registrationRules, RuleExample>> = {
  'response-type-grant': registering(
    '/response_types/0',
    'The answer would deliver what no grant of the client permits.',
    { response_types: ['code id_token'] },
    { grant_types: ['authorization_code', 'implicit'] },
  ),
  'confidential-grant': registering(
    '/token_endpoint_auth_method',
    'With these grants the client itself is who asks: without authentication, everybody could ask in its name.',
    { redirect_uris: null, grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
    { token_endpoint_auth_method: 'client_secret_basic' },
  ),
  'response-types-required': registering(
    '/response_types',
    'The client uses the authorization endpoint, and may ask nothing of it.',
    { response_types: [] },
    { response_types: ['code'] },
  ),
  'pairwise-sector': registering(
    '/subject_type',
    'Subjects differ by the host of the client: with two hosts, or with none that has an owner, it is unknown whose they are.',
    { subject_type: 'pairwise', redirect_uris: ['https://app.example/callback', 'https://shop.example/callback'] },
    { redirect_uris: ['https://app.example/callback'] },
  ),
  'sector-identifier-off': registering(
    '/sector_identifier_uri',
    'The document must be read before the client is registered, and this service sends no requests.',
    { sector_identifier_uri: 'https://app.example/redirects.json' },
    { sector_identifier_uri: null },
    { given: 'The setting outbound-fetches is off.' },
  ),
  'sector-identifier': registering(
    '/sector_identifier_uri',
    'Without the list, everybody could join the sector of somebody else, and learn the subjects of its users.',
    { redirect_uris: ['https://shop.example/callback'], sector_identifier_uri: 'https://app.example/redirects.json' },
    { redirect_uris: ['https://app.example/callback'] },
    {
      given:
        'The setting outbound-fetches is on, and https://app.example/redirects.json has ["https://app.example/callback"].',
    },
  ),
  'ciba-delivery-mode': registering(
    '/backchannel_token_delivery_mode',
    'The service must know how the client gets its tokens when the user has answered on another device.',
    { grant_types: ['authorization_code', ciba] },
    { backchannel_token_delivery_mode: 'poll' },
  ),
  'ciba-notification-endpoint': registering(
    '/backchannel_client_notification_endpoint',
    'In these modes the service calls the client, and must know where.',
    { backchannel_token_delivery_mode: 'ping' },
    { backchannel_client_notification_endpoint: 'https://app.example/ciba' },
  ),
  'software-statement': registering(
    '/software_statement',
    'A statement that nobody can verify says nothing.',
    { software_statement: 'shop, version 2.0' },
    { software_statement: statement },
    { given: trusted },
  ),
  'software-statement-unapproved': registering(
    '/software_statement',
    'Everybody can sign a statement: it counts only where the operator trusts who signed it.',
    { software_statement: unknownStatement },
    { software_statement: null },
    { given: trusted },
  ),
  'software-statement-member': stating(
    '/client_id',
    'A statement is about all copies of a software, and these members belong to one client.',
    { client_name: 'Shop', client_id: 'shop' },
    { client_id: null },
    { given: trusted },
  ),
  'policy-redirect-host': registering(
    '/redirect_uris/0',
    'The operator lets applications of these hosts register, and no others.',
    { redirect_uris: ['https://other.example/callback'] },
    { redirect_uris: ['https://app.example/callback'] },
    { policy: { allowed_redirect_hosts: ['app.example'] } },
  ),
  'policy-required': registering(
    '/contacts',
    'The operator wants to know this of every client.',
    { client_name: 'Shop' },
    { contacts: ['ops@app.example'] },
    { policy: { required_members: ['contacts'] } },
  ),
  'policy-auth-method': registering(
    '/token_endpoint_auth_method',
    'The operator demands a stronger authentication of clients.',
    { token_endpoint_auth_method: 'client_secret_basic' },
    { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: keySet },
    { policy: { allowed_token_endpoint_auth_methods: ['private_key_jwt'] } },
  ),
  'policy-response-type': registering(
    '/response_types/0',
    'The operator serves no response type that sends tokens through the address of a page.',
    { grant_types: ['authorization_code', 'implicit'], response_types: ['code id_token'] },
    { response_types: ['code'] },
    { policy: { allowed_response_types: ['code'] } },
  ),
  'policy-statement': registering(
    '/software_statement',
    'The operator registers no software for which nobody vouches.',
    { client_name: 'Shop' },
    { software_statement: statement },
    { policy: { software_statements: { required: 'always' } }, given: trusted },
  ),
  'policy-software': registering(
    '/software_id',
    'The operator lists the software that may register.',
    { software_id: 'bank' },
    { software_id: 'shop' },
    { policy: { software_statements: { accept: 'listed', software: [{ software_id: 'shop' }] } } },
  ),
  'policy-software-asserted': registering(
    '/software_id',
    'Every program could say that it is this software: a statement of its issuer proves it.',
    { software_id: 'shop' },
    { software_statement: statement },
    {
      policy: {
        software_statements: { software: [{ software_id: 'shop', issuers: ['https://directory.example'] }] },
      },
      given: trusted,
    },
  ),
  'policy-software-version': registering(
    '/software_version',
    'The operator refuses versions that are known to be faulty.',
    { software_id: 'shop', software_version: '1.0' },
    { software_version: '2.0' },
    { policy: { software_statements: { software: [{ software_id: 'shop', denied_versions: ['1.0'] }] } } },
  ),
  'policy-algorithm': registering(
    '/id_token_signed_response_alg',
    'The operator chooses the algorithms that are used here.',
    { id_token_signed_response_alg: 'RS256' },
    { id_token_signed_response_alg: 'ES256' },
    { policy: { allowed_algorithms: ['ES256'] } },
  ),
  'preferred-client-id': registering(
    '/preferred_client_id',
    'The identifier stands in addresses: with other characters it would have several spellings there.',
    { preferred_client_id: 'my shop' },
    { preferred_client_id: 'my-shop' },
  ),
  'preferred-client-id-taken': registering(
    '/preferred_client_id',
    'An identifier names one client.',
    { preferred_client_id: 'shop' },
    { preferred_client_id: 'shop-2' },
    { given: 'A client with the client_id shop is registered.' },
  ),
  'preferred-client-secret': registering(
    '/preferred_client_secret',
    'A short secret can be guessed, and other characters cannot be sent in a header.',
    { preferred_client_secret: 'secret' },
    { preferred_client_secret: 'an-imported-secret-of-36-characters-' },
  ),
  'preferred-client-secret-unused': registering(
    '/preferred_client_secret',
    'A public client has no secret, so that something else was meant.',
    { token_endpoint_auth_method: 'none', preferred_client_secret: 'an-imported-secret-of-36-characters-' },
    { token_endpoint_auth_method: 'client_secret_basic' },
  ),
  'create-only': updating(
    '/preferred_client_id',
    'The client has its identifier and its secret: others know it by them.',
    { preferred_client_id: 'shop' },
    { preferred_client_id: null },
  ),
  'server-issued': updating(
    '/client_id_issued_at',
    'Only the service knows when it issued what.',
    { client_id_issued_at: 1_700_000_000 },
    { client_id_issued_at: null },
  ),
  'client-id-mismatch': updating(
    '/client_id',
    'The body is that of another client: the wrong registration would be changed.',
    { client_id: 'another-client' },
    { client_id: null },
  ),
  'client-secret-mismatch': updating(
    '/client_secret',
    'A client does not choose its secret: who repeats another one than the present one has an old copy.',
    { client_secret: 'the-secret-of-before' },
    { client_secret: null },
  ),
  lifetime: issuing(
    '/lifetime',
    'An initial access token registers a client for whoever has it, so that it must end soon.',
    { lifetime: 31_536_000 },
    { lifetime: 3600 },
  ),
  'registration-scope': issuing(
    '/scope',
    'The scope of an initial access token says what its bearer may register, and must say something.',
    { scope: 'client-reg:grant' },
    { scope: 'client-reg:grant:code' },
  ),
}

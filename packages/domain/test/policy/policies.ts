// Policies as operators write them.
import * as fc from 'fast-check'
import { members } from '../../src/client/members.js'
import { driftActions } from '../../src/policy/policy.js'

/** All parts of a policy. */
export const completePolicy = {
  allowed_redirect_hosts: ['rp.example', '*.rp.example', 'localhost', 'com.example.app:'],
  allowed_private_use_schemes: ['cursor', 'my-application'],
  replace_contradicted_application_type: true,
  allow_http_on_private_networks: true,
  required_members: ['client_name', 'contacts', 'redirect_uris'],
  allowed_token_endpoint_auth_methods: ['client_secret_basic', 'private_key_jwt', 'tls_client_auth', 'none'],
  allowed_response_types: ['code', 'code id_token', 'none'],
  allowed_algorithms: ['RS256', 'ES256', 'HS256', 'RSA-OAEP', 'A128CBC-HS256', 'dir'],
  maximum_clients: 1000,
  maximum_unused_open_clients: 10,
  reuse_unused_registrations: true,
  approve: ['anonymous', 'documents', 'tokens'],
  metadata_documents: {
    accept: 'listed',
    allowed_hosts: ['app.example', '*.app.example'],
    denied_hosts: ['old.app.example'],
    allowed_url_prefixes: ['https://apps.example/clients/'],
    denied_url_prefixes: ['https://apps.example/clients/test/'],
    scope: ['openid'],
    least_freshness: 60,
    greatest_freshness: 3600,
    unreachable_for: 86_400,
    on_drift: { name: 'go_on', withdrawn: 'ask' },
  },
  software_statements: {
    required: 'open',
    accept: 'listed',
    software: [
      { software_id: 'com.example.app', issuers: ['https://issuer.example'], denied_versions: ['2.0', '2.1'] },
      { software_id: 'com.example.other', allowed_versions: ['7'] },
    ],
  },
  signed_bodies: { format: 'uk', audience: ['0015800001041RHAAY'], required: false },
  clients: [
    { client_id: 's6BhdRkqt3', access_token_lifetime: 300, refresh_token_lifetime: 86_400 },
    {
      client_id: 'https://apps.example/clients/one.json',
      scope: ['openid', 'orders'],
      resources: ['https://orders.example/'],
      skip_consent: true,
    },
  ],
  ceilings: { open: {}, managed: {} },
}

const privileges = fc.record(
  {
    grant_types: fc.subarray(['authorization_code', 'implicit', 'refresh_token']),
    scope: fc.subarray(['openid', 'email', 'any']),
    data: fc.boolean(),
    preferred_client_id: fc.boolean(),
    preferred_client_secret: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const action = fc.constantFrom(...driftActions)
const someHosts = fc.subarray(completePolicy.metadata_documents.allowed_hosts)

const documents = fc.record(
  {
    accept: fc.constantFrom('none', 'listed', 'any'),
    allowed_hosts: someHosts,
    denied_hosts: someHosts,
    allowed_url_prefixes: fc.subarray(completePolicy.metadata_documents.allowed_url_prefixes),
    scope: fc.subarray(['openid', 'email']),
    least_freshness: fc.integer({ min: 1, max: 600 }),
    greatest_freshness: fc.integer({ min: 600, max: 31_536_000 }),
    unreachable_for: fc.integer({ min: 1, max: 31_536_000 }),
    on_drift: fc.record(
      { cosmetic: action, unreachable: action, name: action, weaker_method: action, withdrawn: action },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const software = fc.record(
  {
    required: fc.constantFrom('never', 'open', 'always'),
    accept: fc.constantFrom('any', 'listed'),
    software: fc.subarray(completePolicy.software_statements.software),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const signedBodies = fc.record(
  {
    format: fc.constant('uk'),
    audience: fc.subarray(['0015800001041RHAAY', 'https://as.example'], { minLength: 1 }),
    required: fc.boolean(),
  },
  { requiredKeys: ['format', 'audience'], noNullPrototype: true },
)

const someOf = (values: ReadonlyArray<string>) => fc.subarray([...values])

/** The lists that restrict clients. */
export const policyLists = () =>
  fc.record(
    {
      allowed_redirect_hosts: someOf([...completePolicy.allowed_redirect_hosts, '127.0.0.1', 'a.example', '*.example']),
      allowed_private_use_schemes: someOf(['cursor', 'vscode', 'my-application']),
      required_members: someOf(Object.keys(members)).filter((names) => names.length < 8),
      allowed_token_endpoint_auth_methods: someOf(members.token_endpoint_auth_method.type.values),
      allowed_response_types: someOf(members.response_types.type.values),
      allowed_algorithms: someOf(completePolicy.allowed_algorithms),
    },
    { requiredKeys: [], noNullPrototype: true },
  )

/** Any valid policy file. */
export const policyFiles = () =>
  fc
    .tuple(
      policyLists(),
      fc.record(
        {
          maximum_clients: fc.maxSafeNat(),
          maximum_unused_open_clients: fc.nat(),
          reuse_unused_registrations: fc.boolean(),
          allow_http_on_private_networks: fc.boolean(),
          metadata_documents: documents,
          software_statements: software,
          signed_bodies: signedBodies,
          clients: fc.subarray(completePolicy.clients),
          ceilings: fc.record({ open: privileges, managed: privileges }, { requiredKeys: [], noNullPrototype: true }),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    )
    .map(([lists, others]) => ({ ...lists, ...others }))

// Policies as operators write them.
import * as fc from 'fast-check'
import { members } from '../../src/client/members.js'

/** All parts of a policy. */
export const completePolicy = {
  allowed_redirect_hosts: ['rp.example', '*.rp.example', 'localhost', 'com.example.app:'],
  allowed_private_use_schemes: ['cursor', 'my-application'],
  replace_contradicted_application_type: true,
  required_members: ['client_name', 'contacts', 'redirect_uris'],
  allowed_token_endpoint_auth_methods: ['client_secret_basic', 'private_key_jwt', 'tls_client_auth', 'none'],
  allowed_algorithms: ['RS256', 'ES256', 'HS256', 'RSA-OAEP', 'A128CBC-HS256', 'dir'],
  maximum_clients: 1000,
  maximum_unused_open_clients: 10,
  reuse_unused_registrations: true,
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

const someOf = (values: ReadonlyArray<string>) => fc.subarray([...values])

/** The lists that restrict clients. */
export const policyLists = () =>
  fc.record(
    {
      allowed_redirect_hosts: someOf([...completePolicy.allowed_redirect_hosts, '127.0.0.1', 'a.example', '*.example']),
      allowed_private_use_schemes: someOf(['cursor', 'vscode', 'my-application']),
      required_members: someOf(Object.keys(members)).filter((names) => names.length < 8),
      allowed_token_endpoint_auth_methods: someOf(members.token_endpoint_auth_method.type.values),
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
          ceilings: fc.record({ open: privileges, managed: privileges }, { requiredKeys: [], noNullPrototype: true }),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    )
    .map(([lists, others]) => ({ ...lists, ...others }))

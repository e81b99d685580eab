// The bodies on which doors are compared.
import { members } from '@clientele/domain/client'
import { withoutSecrets } from '../arbitraries/documents.js'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { everyFaultOf } from '../arbitraries/faults-of-clients.js'

const redirect_uris = ['https://rp.example/callback']

// RFC 7592 §2.2 and specification §2.1: members that are not metadata, valid and invalid ones
const notMetadata: ReadonlyArray<SentMetadata> = [
  { client_id: 'another' },
  { client_secret: 'another' },
  { client_secret_expires_at: 0 },
  { client_id_issued_at: 1 },
  { registration_access_token: 'another' },
  { registration_client_uri: 'https://op.example/clients/another' },
  { preferred_client_id: 'another' },
  { preferred_client_id: 'another client' },
  { preferred_client_secret: 'another-secret'.padEnd(43, '_') },
  { preferred_client_secret: 'short' },
  { preferred_client_secret: 'another-secret'.padEnd(43, '_'), token_endpoint_auth_method: 'none' },
  { software_statement: 'e30.e30.AA' },
  { unknown_member: true },
]

// RFC 7591 §2.3: a statement that asserts another one is refused for it alone.
const manyMembers = Object.keys(members).filter((name) => name !== 'software_statement')

// Bodies that doors may judge otherwise: what a document may be, and how many faults are reported at once
const others: ReadonlyArray<SentMetadata> = [
  { redirect_uris: [], grant_types: ['client_credentials'] },
  {
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: 'https://rp.example/keys',
  },
  {
    redirect_uris,
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
  },
  { redirect_uris, token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'] },
  { redirect_uris, sector_identifier_uri: 'https://sector.example/redirect-uris' },
  { redirect_uris, subject_type: 'pairwise' },
  {
    redirect_uris,
    grant_types: ['urn:ietf:params:oauth:grant-type:saml2-bearer', 'authorization_code'],
    response_types: ['none', 'code'],
    request_object_signing_alg: 'HS256',
  },
  { redirect_uris, subject_types_supported: ['pairwise'] },
  Object.fromEntries(manyMembers.map((name) => [name, 7])),
]

/**
 * Every body with one fault on top of the valid metadata, each as it is and without what needs a client_secret; and
 * bodies with members that are not metadata, such as the identifier that a registration asks for.
 */
export const bodiesForDoors = (valid: SentMetadata = {}): ReadonlyArray<SentMetadata> => {
  const bodies = [
    { ...valid, redirect_uris },
    ...notMetadata.map((members) => ({ redirect_uris, ...members })),
    ...others,
    ...everyFaultOf(valid).map(({ body }) => body),
  ]
  return [...bodies, ...bodies.map(withoutSecrets)]
}

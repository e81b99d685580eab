import { ownBound, rule } from './rule-text.js'

const policy = 'the registration policy of the operator'
const section = (of02: string, of00: string): string => `CIMD -02 §${of02}, -00 §${of00}`

/** Rules for clients whose client_id is the URL of their metadata. */
export const documentRules = {
  'client-id-url-path': rule(
    'must have a path after its host: write the whole URL, such as https://app.example/client.json',
    section('3', '3'),
  ),
  'client-id-url-spelling': rule(
    'must have one spelling: https:// and host in lower case, no port 443, no ; // %2F %5C or %25 in the path, no percent-encoding of what can stand there as itself, and no apostrophe in the query',
    ownBound,
  ),
  'document-not-accepted': rule(
    'is not the URL of a document that the registration policy accepts: register with POST, or ask the operator to add it to metadata_documents',
    policy,
  ),
  'document-withdrawn': rule(
    'must lead to a document: its server answers that there is none (404 or 410)',
    section('5.1', '4.3'),
  ),
  'document-unreachable': rule(
    'must lead to a document: its server must answer with 200, without redirect',
    section('5, 5.1', '4.3'),
  ),
  'document-json': rule(
    'must lead to a JSON object, of the media type application/json or one that ends with +json',
    section('4', '4.1'),
  ),
  'document-client-id': rule(
    'must be the URL of the document, byte by byte: write the URL under which it is published',
    section('4', '4.1'),
  ),
  'document-secret': rule('must not stand in a document, which is public: leave it out', section('4.1', '4.1')),
  'document-auth-method': rule(
    'must not be a method with a client_secret, because a published document can hold none: use none, or private_key_jwt with jwks_uri or jwks',
    section('4.1', '4.1'),
  ),
  'document-secret-algorithm': rule(
    'needs a client_secret, which a published document cannot hold: name an algorithm with a key pair',
    section('4.1', '4.1'),
  ),
  'document-sector': rule(
    'needs a sector at the host of client_id, because a document proves no other one: publish the sector_identifier_uri there, use redirect_uris there, or subject_type public',
    ownBound,
  ),
  'document-privilege': rule(
    'contains nothing that the registration policy grants to clients with a document: ask the operator to extend the ceiling named open, or metadata_documents',
    policy,
  ),
} as const

// The members that can violate each rule: by the codecs for a value's own rules, as listed here for the others.
import { neededSecretLength, usesSecret } from '../client/keys.js'
import {
  type MemberName,
  algorithmMembers,
  certificateMembers,
  choiceLists,
  contentMembers,
  humanReadableMembers,
  isMemberName,
  members,
  redirectMembers,
} from '../client/members.js'
import { presetMembers, serverIssued } from '../client/schema.js'
import { neverAsserted } from '../client/statement.js'
import { cryptographicMembers } from '../policy/algorithms.js'
import type { RuleId } from '../kernel/all-rules.js'
import type { Judging } from '../kernel/faults.js'

const keys = (...given: ReadonlyArray<unknown>) => ({ keys: given })

const uris = [
  '/',
  'x:#',
  'https://a@b.example/',
  'https://*.example/',
  'https://a..example/',
  'https://a.example/../',
  'x:y',
  'urn:x',
  'http://a.example/',
  'https://a.example:22/',
]
const jwks = [
  keys({}),
  keys({ kty: 'oct' }),
  keys({ kty: 'RSA', n: 'AQAB', e: 'AQ' }),
  keys({ kty: 'EC' }),
  keys({ kty: 'other', kid: '' }),
  keys({ kty: 'other', more: 'x'.repeat(17_000) }),
  keys({ kty: 'other', kid: 'a' }, { kty: 'other', kid: 'a' }),
  keys({ kty: 'other', x: 'x'.repeat(20_000) }),
]
const entries = [...uris, '', 'x'.repeat(3000), 1]

/** Values for all kinds of members: together they violate every rule that a value can violate by itself. */
const probes = (): ReadonlyArray<unknown> => [
  ...entries,
  ...entries.map((entry) => [entry]),
  ...jwks,
  ['a', 'a'],
  [],
  Array.from({ length: 33 }, String),
  Array.from({ length: 257 }, String),
]

export const memberNames = Object.keys(members).filter(isMemberName)
const rulesBrokenBy =
  ({ brokenRules }: Judging<RuleId>) =>
  (value: unknown): ReadonlyArray<RuleId> =>
    brokenRules(value).map(({ rule }) => rule)

/** The rules that a value of each member can violate by itself. */
export const ownRules = (): ReadonlyMap<MemberName, ReadonlySet<RuleId>> => {
  const values = probes()
  return new Map(memberNames.map((name) => [name, new Set(values.flatMap(rulesBrokenBy(members[name].type.codec)))]))
}

const algorithmsThat = (holds: (algorithm: string) => boolean) =>
  algorithmMembers.filter((name) => members[name].type.values.some(holds))
const tagged = humanReadableMembers.map((name) => `${name}#…`)

const otherPlaces: { readonly [Rule in RuleId]?: ReadonlyArray<string> } = {
  'language-tag': tagged,
  'language-tag-repeated': tagged,
  'language-tags': humanReadableMembers,

  'redirect-uri-web': redirectMembers,
  'redirect-uri-native': redirectMembers,
  'redirect-uri-private-network': redirectMembers,
  'redirect-uri-private-use': redirectMembers,
  'uri-scheme': redirectMembers,
  'redirect-uri-wildcard': redirectMembers,
  'redirect-uri-query': redirectMembers,
  'redirect-uri-implicit': ['redirect_uris'],
  'redirect-uris-required': ['redirect_uris'],
  'redirect-uris-unused': ['redirect_uris'],
  'frontchannel-origin': ['frontchannel_logout_uri'],
  'frontchannel-scheme': ['frontchannel_logout_uri'],

  'jwks-exclusive': ['jwks_uri'],
  'keys-required': [
    'token_endpoint_auth_method',
    ...algorithmMembers.filter((name) => members[name].keyOf === 'client'),
  ],
  'id-token-unsigned': ['id_token_signed_response_alg'],
  'id-token-unsigned-logout': ['id_token_signed_response_alg'],
  'logout-token-algorithm': ['id_token_signed_response_alg'],
  'secret-algorithm': algorithmsThat(usesSecret),
  'secret-length': algorithmsThat((algorithm) => neededSecretLength(algorithm) > 0),
  'auth-signing-algorithm': ['token_endpoint_auth_signing_alg'],
  'tls-client-auth': ['token_endpoint_auth_method'],
  'tls-client-auth-unused': certificateMembers,
  'encryption-needs-algorithm': contentMembers,
  'signed-request-required': ['request_object_signing_alg'],
  'unsupported-algorithm': cryptographicMembers,
  'value-not-chosen': choiceLists.map((list) => members[list].listOf),
  'no-known-choice': choiceLists,

  'response-type-grant': ['response_types'],
  'confidential-grant': ['token_endpoint_auth_method'],
  'response-types-required': ['response_types'],
  'pairwise-sector': ['subject_type'],
  'sector-identifier-off': ['sector_identifier_uri'],
  'sector-identifier': ['sector_identifier_uri'],
  'ciba-delivery-mode': ['backchannel_token_delivery_mode'],
  'ciba-notification-endpoint': ['backchannel_client_notification_endpoint'],

  'software-statement-unapproved': ['software_statement'],
  'software-statement-member': neverAsserted,

  'policy-redirect-host': redirectMembers,
  'policy-required': memberNames,
  'policy-auth-method': ['token_endpoint_auth_method'],
  'policy-response-type': ['response_types'],
  'policy-algorithm': cryptographicMembers,
  'policy-statement': ['software_statement'],
  'policy-software': ['software_id'],
  'policy-software-asserted': ['software_id', 'software_version'],
  'policy-software-version': ['software_version'],

  'preferred-client-id': ['preferred_client_id'],
  'preferred-client-id-taken': ['preferred_client_id'],
  'preferred-client-secret': ['preferred_client_secret'],
  'preferred-client-secret-unused': ['preferred_client_secret'],
  'create-only': presetMembers,
  'server-issued': serverIssued,
  'client-id-mismatch': ['client_id'],
  'client-secret-mismatch': ['client_secret'],
}

/** The members that can violate a rule, in the order of the table. All values are judged once, and not before they are asked for. */
export const findPlaces = (): ((rule: RuleId) => ReadonlyArray<string>) => {
  const byMember = ownRules()
  return (rule) => [
    ...new Set([...memberNames.filter((name) => byMember.get(name)?.has(rule) === true), ...(otherPlaces[rule] ?? [])]),
  ]
}

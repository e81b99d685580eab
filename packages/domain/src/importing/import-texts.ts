// The texts of an import: each follows the name of the member, and ends with the remedy.
import { type Fault, pointerOf, type Step } from '../codec/fault.js'
import { type RuleText, ownBound, rule } from '../codec/rule-texts/rule-text.js'

/** What keeps a client from being imported. */
export const importRules = {
  'import-record': rule(
    'the record is no client of the format that --from names: see docs/import-export.md for its shape',
    ownBound,
  ),
  'import-record-size': rule('the record is longer than 1 MiB: shorten it, or remove it', ownBound),
  'import-size': rule(
    'the client is longer than the running service reads at once: shorten it, or stop the service for the import',
    ownBound,
  ),
  'import-json': rule(
    'the record is not JSON, or JSON that readers understand differently, such as a member that is there twice: correct it',
    'RFC 8259 §4',
  ),
  'import-version': rule(
    'must be 1 or 2: export the clients with a version of Clientele that writes one of these formats',
    ownBound,
  ),
  'import-secret': rule('must be 1 to 256 printable ASCII characters, or be left out', 'RFC 6749 §A.2'),
  'import-token': rule(
    'must be 16 to 512 of the characters A-Z a-z 0-9 - . _ ~ + / with = at the end, or be left out',
    'RFC 6750 §2.1',
  ),
  'import-time': rule('must be a whole number of seconds since 1970-01-01 UTC, or be left out', 'RFC 7591 §3.2.1'),
  'import-time-ahead': rule(
    'lies more than a century ahead, as a time in milliseconds does: write whole seconds since 1970-01-01 UTC, or leave it out',
    'RFC 7591 §3.2.1',
  ),
  'import-authority': rule('must be as an export writes it, or be left out', ownBound),
  'import-repeated': rule('stands in an earlier record of the file: keep one of them', ownBound),
  'import-differs': rule(
    'is registered here with another value: correct the record, remove it, or replace the client by --replace',
    ownBound,
  ),
  'import-changed': rule('was registered or changed meanwhile: run the import again', ownBound),
  'import-unreadable': rule('is registered here, but cannot be read: delete that client first', ownBound),
} as const satisfies Readonly<Record<string, RuleText>>

/** What an import sets or leaves out otherwise than in the record. */
export const importNotes = {
  'secret-hashed': 'is a hash, from which no secret can be computed, and was left out',
  'secret-hidden': 'was hidden by the export, and was left out',
  'secret-made': 'is a new one, because the record has none that can be kept: give it to the client',
  'secret-short': 'has fewer than 32 characters and was kept: clientele clients renew makes a longer one',
  'secret-unused': 'was left out, because the client uses none',
  'token-made': 'is a new one, because the record has none: give it to a client that manages its registration',
  'auth-method-chosen':
    'was set to client_secret_basic, because the other server takes client_secret_post as well: replace the client if it sends that',
  'used-before-issued': 'is before client_id_issued_at: both were kept, so check which of them is wrong',
  'sector-identifier-unchecked': 'was not fetched: check that it lists every redirection URI of the client',
  'member-dropped': 'was left out, because this service has no such member',
} as const

/** Why a record is not a client to import. */
export const leftOutTexts = {
  'not-a-client': 'is a record of another kind',
  disabled: 'is disabled there: enable it there first if it is to be imported',
  'built-in': 'is a client of the other server itself',
  'other-protocol': 'speaks a protocol other than OpenID Connect',
  'bearer-only': 'is a resource server, which requests no tokens',
  'not-used-since': 'was not used since the date',
} as const

export type ImportRuleId = keyof typeof importRules
export type ImportNoteId = keyof typeof importNotes
export type LeftOutId = keyof typeof leftOutTexts

/** The place (RFC 6901) in the metadata of the client, a rule, and a text that contains no value. */
export type ImportFinding = { readonly pointer: string; readonly rule: string; readonly description: string }

const finding = (rule: string, text: string, path: ReadonlyArray<Step>): ImportFinding => ({
  pointer: pointerOf(path),
  rule,
  description: path.length === 0 ? text : `${String(path[0])} ${text}`,
})

export const importFault =
  (rule: ImportRuleId) =>
  (...path: ReadonlyArray<Step>): ImportFinding =>
    finding(rule, importRules[rule].text, path)

export const importNote =
  (rule: ImportNoteId) =>
  (...path: ReadonlyArray<Step>): ImportFinding =>
    finding(rule, importNotes[rule], path)

export const findingOf = ({ pointer, rule, description }: Fault): ImportFinding => ({ pointer, rule, description })

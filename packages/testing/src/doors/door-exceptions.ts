// Where a door of this service is to answer otherwise than POST /clients. docs/reuse/test-your-rules.md#doors lists these exceptions.
import { openPrivileges, permits } from '@clientele/domain/authorization'
import type { RuleId } from '@clientele/domain/kernel'
import { requestedPrivileges, tidiedIf } from '@clientele/domain/registration'
import { documentExceptions } from '../laws/document-laws.js'
import { validate } from '../rule-book.js'
import type { DoorException, FaultOfOneDoor } from './doors-law.js'
import { settingsOfDoors } from './own-doors.js'

const documents = ['document', 'explained document']
const updates = ['PUT', 'dry run of PUT', 'PATCH']
const presetRules: ReadonlyArray<RuleId> = [
  'preferred-client-id',
  'preferred-client-secret',
  'preferred-client-secret-unused',
]

/** The door alone reports one of the rules. */
const added =
  (...rules: ReadonlyArray<RuleId>) =>
  ({ fault, reportedBy }: FaultOfOneDoor): boolean =>
    reportedBy === 'the door' && rules.some((rule) => rule === fault.rule)

/** The door does not report one of the rules, which the first one reports. */
const missing =
  (...rules: ReadonlyArray<RuleId>) =>
  ({ fault, reportedBy }: FaultOfOneDoor): boolean =>
    reportedBy === 'the first door' && rules.some((rule) => rule === fault.rule)

const either =
  (...permitting: ReadonlyArray<DoorException['permits']>): DoorException['permits'] =>
  (found) =>
    permitting.some((permits) => permits(found))

const open = openPrivileges(settingsOfDoors.mode)

// Of a list with faults, what is left is asked for.
const exceedsOpenRegistration = ({ body }: FaultOfOneDoor): boolean => {
  const { grant_types } = body
  const isLeft = Array.isArray(grant_types) && grant_types.some((each) => open.grant_types.includes(each))
  return !permits(open)(requestedPrivileges(validate(body).metadata)) || (Array.isArray(grant_types) && !isLeft)
}

const ofUpdates: ReadonlyArray<DoorException> = [
  {
    id: 'update-presets-nothing',
    doors: updates,
    difference: '`preferred_client_id` and `preferred_client_secret` are refused (`create-only`), whatever their value',
    reason: 'the client has its identifier and its secret',
    permits: either(added('create-only'), missing(...presetRules)),
  },
  {
    id: 'update-names-its-client',
    doors: updates,
    difference: '`client_id` and `client_secret` must be those of the client; a registration drops them',
    reason: 'RFC 7592 §2.2',
    permits: added('client-id-mismatch', 'client-secret-mismatch'),
  },
  {
    id: 'update-repeats-no-issued-member',
    doors: updates,
    difference: 'the other members that the server issues are refused (`server-issued`); a registration drops them',
    reason: 'RFC 7592 §2.2',
    permits: added('server-issued'),
  },
]

const containsNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && !Array.isArray(value) && Object.values(value).some(containsNull))

const ofPatches: ReadonlyArray<DoorException> = [
  {
    id: 'patch-removes-by-null',
    doors: ['PATCH'],
    difference: 'a member that is null is removed, also one in an object; elsewhere null is no value of a member',
    reason: 'RFC 7396 §2',
    permits: ({ body }) => containsNull(body),
  },
  {
    id: 'patch-drops-nothing',
    doors: ['PATCH'],
    difference: 'a member that is unknown is refused (`unknown-member`); elsewhere it is dropped',
    reason: 'a patch names what it changes, so that nobody would see that a misspelt member changed nothing',
    permits: added('unknown-member'),
  },
]

const ofDocuments: ReadonlyArray<DoorException> = [
  ...documentExceptions
    .filter(({ rules }) => rules.length > 0)
    .map(({ id, difference, reason, appliesTo, rules }) => ({
      id,
      doors: documents,
      difference,
      reason,
      permits: ({ body, fault }: FaultOfOneDoor): boolean =>
        appliesTo(body) && rules.some((rule) => rule === fault.rule),
    })),
  {
    id: 'document-is-public',
    doors: documents,
    difference:
      '`client_id` must be the URL of the document (`document-client-id`), and `client_secret` and `client_secret_expires_at` are refused (`document-secret`); a registration drops all three',
    reason: 'draft -02 §4.1',
    permits: added('document-client-id', 'document-secret'),
  },
  {
    id: 'document-is-tidied',
    doors: documents,
    difference: 'a member that is null or an empty text is left out, and a repeated entry is taken once',
    reason: 'RFC 7592 §2.2: they say nothing. `POST` does the same with the setting `lenient`',
    permits: ({ body }) => tidiedIf(true, body).adjustments.length > 0,
  },
  {
    id: 'document-has-open-privileges',
    doors: documents,
    difference:
      'a document whose every grant type exceeds open registration is refused (`document-privilege`); the operator may register it',
    reason:
      'no requester presents a token for a document ([decision on documents of clients](../decisions/documents-of-clients.md))',
    permits: (found) => exceedsOpenRegistration(found) && added('document-privilege')(found),
  },
]

const noClaims = [
  'client_id',
  'client_secret',
  'client_id_issued_at',
  'client_secret_expires_at',
  'registration_access_token',
  'registration_client_uri',
  'preferred_client_id',
  'preferred_client_secret',
  'software_statement',
]

const ofStatements: ReadonlyArray<DoorException> = [
  {
    id: 'statement-asserts-metadata-alone',
    doors: ['software statement'],
    difference:
      'what only a server issues or one registration asks for, and another statement, are no claims (`software-statement-member`); then nothing else is reported',
    reason: 'RFC 7591 §2.3: a statement is about all instances of a client',
    permits: either(
      added('software-statement-member'),
      ({ body, reportedBy }) => reportedBy === 'the first door' && noClaims.some((name) => Object.hasOwn(body, name)),
    ),
  },
]

const ofImports: ReadonlyArray<DoorException> = [
  {
    id: 'presets-are-of-registrations',
    doors: [...documents, 'import'],
    difference: '`preferred_client_id` and `preferred_client_secret` are unknown members, and left out',
    reason:
      'the client of a document has its URL as identifier, and no secret; a record has both as members of their own, and rules for them',
    permits: missing(...presetRules),
  },
  {
    id: 'import-keeps-statements',
    doors: ['import'],
    difference: 'a software statement is kept without being verified, and the other members are judged',
    reason: 'the server that registered the client has verified it, and its issuer may be unknown here',
    permits: either(
      missing('software-statement-unapproved'),
      ({ body, reportedBy }) => reportedBy === 'the door' && Object.hasOwn(body, 'software_statement'),
    ),
  },
]

/** Each exception of the doors of this service, with the difference and the reason. */
export const doorExceptions: ReadonlyArray<DoorException> = [
  ...ofUpdates,
  ...ofPatches,
  ...ofDocuments,
  ...ofStatements,
  ...ofImports,
]

const isNoTextForAll = ({ body }: FaultOfOneDoor): boolean => /\\u(?:0000|d[89a-f])/.test(JSON.stringify(body))

/** The further exception of doors over HTTP, which are named as ours: their bodies are JSON texts. */
export const exceptionsOverHttp: ReadonlyArray<DoorException> = [
  {
    id: 'json-before-members',
    doors: ['POST', 'dry run of POST', ...updates].map((name) => `${name} over HTTP`),
    difference:
      'a body with a lone surrogate or a NUL character is `invalid_request`, whatever its member, and no member is judged',
    reason: 'RFC 8259 §8.2: readers of JSON understand it differently',
    permits: (found) =>
      isNoTextForAll(found) && (found.reportedBy === 'the first door' || found.fault.rule === 'invalid_request'),
  },
]

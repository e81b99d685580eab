// What others say of a client: software statements and sector identifier documents.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Fault, fault } from '../kernel/faults.js'
import { type JsonObject, isPlainObject, ownMember } from '../kernel/json-object.js'
import type { InvalidClientMetadata } from '../kernel/refusals.js'
import { isMemberName } from './members.js'
import { type ClientMetadata, memberNamed, sectorIdentifierRefused } from './metadata.js'
import { presetMembers, serverIssued } from './schema.js'
import { softwareStatement } from './values.js'

/** Why a software statement is refused: it is invalid, or its issuer is not trusted. */
export type SoftwareStatementFault = 'software-statement' | 'software-statement-unapproved'

/** The claims of a verified statement, or its fault. */
export type ReadStatement = E.Either<SoftwareStatementFault, JsonObject>

/**
 * What a software statement says: its issuer, and the names of its claims. That of a stored or an imported
 * client was verified when the client was registered, and is not read again.
 */
export type StatementFacts =
  | { readonly kind: 'verified'; readonly issuer: string | undefined; readonly members: ReadonlyArray<string> }
  | { readonly kind: 'stored' }

/** What is said by the statement in metadata that was registered already. */
export const storedStatement = (metadata: { readonly software_statement?: unknown }): StatementFacts | undefined =>
  metadata.software_statement === undefined ? undefined : { kind: 'stored' }

type Body = Readonly<Record<string, unknown>>

/** The body with the claims of the statement in place of its own members, and the names of these claims. */
type BodyWithClaims = {
  readonly body: Body
  readonly asserted: ReadonlyArray<string>
  readonly statementFacts: StatementFacts | undefined
  /** For which the statement is refused: then the body is as it was sent. */
  readonly refused: ReadonlyArray<Fault>
}

// RFC 7591 §2.3: client metadata only; server-issued members and preset credentials do not apply to all instances
export const neverAsserted: ReadonlyArray<string> = [
  'client_id',
  'client_secret',
  ...serverIssued,
  ...presetMembers,
  'software_statement',
]

const refusedMembers = (claims: JsonObject): ReadonlyArray<Fault> =>
  neverAsserted.filter((name) => Object.hasOwn(claims, name)).map((name) => fault('software-statement-member')(name))

// RFC 7519 §4.1.1
const issuerIn = (claims: JsonObject): string | undefined => {
  const issuer = ownMember(claims, 'iss')
  return typeof issuer === 'string' ? issuer : undefined
}

// RFC 7591 §2.3: a claim takes precedence over a member of the body, whatever language tags they have
const stating = (body: Body, claims: JsonObject): BodyWithClaims => {
  const asserted = Object.entries(claims).filter(([name]) => isMemberName(memberNamed(name)))
  const members = new Set(asserted.map(([name]) => memberNamed(name)))
  const stored = Object.entries(body).filter(([name]) => !members.has(memberNamed(name)))
  const names = asserted.map(([name]) => name)
  const statementFacts: StatementFacts = { kind: 'verified', issuer: issuerIn(claims), members: names }
  return { body: Object.fromEntries([...stored, ...asserted]), asserted: names, statementFacts, refused: [] }
}

const unread: ReadStatement = E.left('software-statement-unapproved')

const withoutStatement = (body: Body, refused: ReadonlyArray<Fault>): BodyWithClaims => ({
  body,
  asserted: [],
  statementFacts: undefined,
  refused,
})

/** A statement that was not read counts as one of an untrusted issuer. */
export const withStatement = (body: Body, read: O.Option<ReadStatement>): BodyWithClaims => {
  const sent = ownMember(body, 'software_statement')
  if (!softwareStatement.codec.is(sent)) return withoutStatement(body, [])
  const claims = O.getOrElse(() => unread)(read)
  if (E.isLeft(claims)) return withoutStatement(body, [fault(claims.left)('software_statement')])
  const refused = refusedMembers(claims.right)
  return refused.length > 0 ? withoutStatement(body, refused) : stating(body, claims.right)
}

/** The software statement of a body, in the form of a JWT. */
export const statementIn = (body: unknown): O.Option<string> =>
  isPlainObject(body) ? O.fromPredicate(softwareStatement.codec.is)(ownMember(body, 'software_statement')) : O.none

/** OpenID Registration §5: the document of the sector_identifier_uri must list every redirection URI. */
export const decideSectorIdentifier =
  (metadata: ClientMetadata) =>
  (document: unknown): E.Either<InvalidClientMetadata, void> => {
    const listed = new Set<unknown>(Array.isArray(document) ? document : [])
    const isList = Array.isArray(document) && document.every((entry) => typeof entry === 'string')
    return isList && (metadata.redirect_uris ?? []).every((uri) => listed.has(uri))
      ? E.right(undefined)
      : E.left(sectorIdentifierRefused)
  }

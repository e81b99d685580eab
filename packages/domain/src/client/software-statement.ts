import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Fault, fault } from '../codec/fault.js'
import { type JsonObject, isPlainObject, ownMember } from '../codec/json-object.js'
import { memberOfVariant } from './language-tagged.js'
import { isMemberName } from './members.js'
import { softwareStatement } from './value-types.js'

/** Why a software statement does not count: it is none, or its issuer is not trusted. */
export type SoftwareStatementFault = 'software-statement' | 'software-statement-unapproved'

/** The claims of a statement whose signature holds, or why there are none. */
export type ReadStatement = E.Either<SoftwareStatementFault, JsonObject>

type Body = Readonly<Record<string, unknown>>

/** The body with what the statement says in place of what it says itself, and the names of those members. */
export type StatedBody = { readonly body: Body; readonly stated: ReadonlyArray<string> }

// RFC 7591 §2.3: metadata only; what the server issues, or what one registration presets, is nothing for all instances
const neverStated = [
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

const refusedMembers = (claims: JsonObject): ReadonlyArray<Fault> =>
  neverStated.filter((name) => Object.hasOwn(claims, name)).map((name) => fault('software-statement-member')(name))

// RFC 7591 §2.2: a member and its variants in other languages are one
const memberOf = (name: string): string => memberOfVariant(name) ?? name

// RFC 7591 §2.3: a claim takes precedence over a member of the body, in whichever language either of them is
const stating =
  (body: Body) =>
  (claims: JsonObject): StatedBody => {
    const stated = Object.entries(claims).filter(([name]) => isMemberName(memberOf(name)))
    const members = new Set(stated.map(([name]) => memberOf(name)))
    const kept = Object.entries(body).filter(([name]) => !members.has(memberOf(name)))
    return { body: Object.fromEntries([...kept, ...stated]), stated: stated.map(([name]) => name) }
  }

const unread: ReadStatement = E.left('software-statement-unapproved')

/** A statement that nobody has read counts as one that is not trusted. */
export const withStatement = (
  body: Body,
  read: O.Option<ReadStatement>,
): E.Either<ReadonlyArray<Fault>, StatedBody> => {
  const sent = ownMember(body, 'software_statement')
  if (!softwareStatement.codec.is(sent)) return E.right({ body, stated: [] })
  return pipe(
    read,
    O.getOrElse(() => unread),
    E.mapLeft((rule) => [fault(rule)('software_statement')]),
    E.flatMap((claims) => {
      const faults = refusedMembers(claims)
      return faults.length > 0 ? E.left(faults) : E.right(stating(body)(claims))
    }),
  )
}

/** The statement that a body carries, in the form of a JWT. */
export const statementIn = (body: unknown): O.Option<string> =>
  isPlainObject(body) ? O.fromPredicate(softwareStatement.codec.is)(ownMember(body, 'software_statement')) : O.none

// The tokens that operators issue, list and revoke: initial access tokens, each of which registers one client, and operator
// tokens.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type AuditRow, actorOfOperatorToken } from '../audit/entries.js'
import {
  type ForOperator,
  type ManagementPrivilege,
  type Operator,
  type OperatorToken,
  Issuer,
  TokenHash,
  issuableManagementPrivileges,
  issuerOf,
  managementScope,
  noManagementPrivileges,
  parseManagementPrivileges,
  permitsManagement,
} from '../authorization/credential.js'
import { type InitialAccessToken, parseRegistrationScope } from '../authorization/registrant.js'
import { isText } from '../client/values.js'
import { type Fault, optional, valueThat } from '../kernel/faults.js'
import {
  type InvalidRequest,
  type InvalidScope,
  type Unavailable,
  type UnknownClient,
  type UnknownInitialAccessToken,
  type UnknownOperatorToken,
  decodeBody,
  invalidBody,
  unknownInitialAccessToken,
  unknownOperatorToken,
} from '../kernel/refusals.js'
import type { RuleId } from '../kernel/all-rules.js'
import { EpochSeconds, isLifetimeUpTo, secondsAfter } from '../kernel/time.js'
import { objectOf, recordWith } from '../kernel/values.js'
import type { Answer, Clock, CredentialGenerator, Hashing } from '../ports/outside.js'
import type { InitialAccessTokens, OperatorTokens } from '../ports/store.js'
import type { RegistrationSettings } from '../registration/decide.js'
import { type AuditPorts, type OperatorRequest, type WithBody, type WithOrigin, audited, auditedBy } from './audit.js'

/** What is told of a credential that was issued. */
type Issued = {
  readonly expires_in: number
  readonly scope: string
  /** By which the operator lists and revokes the token; it authorizes nothing. */
  readonly id: string
}

/** RFC 6749 §5.1 */
export type TokenResponse = Issued & { readonly access_token: string; readonly token_type: 'Bearer' }

type TokenList<Description> = {
  /** The first to expire first. */
  readonly tokens: ReadonlyArray<Description>
  /** Whether there are tokens beyond the list. */
  readonly more: boolean
}

/** The maximum number of tokens in a list. */
const maxListedTokens = 1_000

/** The tokens in force, of a store that lists one more than a list has where there are more. */
const listed = <Token, Description>(
  { now }: Clock,
  list: (at: EpochSeconds, most: number) => Answer<ReadonlyArray<Token>>,
  describe: (at: EpochSeconds, token: Token) => Description,
): Answer<TokenList<Description>> =>
  pipe(
    TE.fromIO(now),
    TE.bindTo('at'),
    TE.bind('tokens', ({ at }) => list(at, maxListedTokens + 1)),
    TE.map(({ at, tokens }) => ({
      tokens: tokens.slice(0, maxListedTokens).map((token) => describe(at, token)),
      more: tokens.length > maxListedTokens,
    })),
  )

/** Whether a token of the id was there to be removed; what is no id names none. */
const revoking =
  <Unknown>(
    ports: Clock & AuditPorts,
    action: 'initial_access_token_revoked' | 'operator_token_revoked',
    remove: (hash: TokenHash, audit: AuditRow | undefined) => Answer<boolean>,
    unknown: Unknown,
  ) =>
  <Needed extends ManagementPrivilege>(
    request: OperatorRequest<Needed> & { readonly id: string },
  ): Answer<void, Unknown> => {
    const { id, operator } = request
    if (!TokenHash.is(id)) return TE.left(unknown)
    const row = auditedBy(ports, operator, request)
    return pipe(
      TE.fromIO(ports.now),
      TE.flatMap((at) => remove(id, row(at, action, { subject: id }))),
      TE.flatMap((wasStored) => (wasStored ? TE.right(undefined) : TE.left<Unavailable | Unknown>(unknown))),
    )
  }

/** RFC 6749 §5.2: a scope that cannot be issued has an error code of its own. */
const refusedFor =
  (scope: RuleId) =>
  (errors: ReadonlyNonEmptyArray<Fault>): InvalidRequest | InvalidScope =>
    errors[0].rule === scope
      ? { error: 'invalid_scope', error_description: errors[0].description, errors }
      : invalidBody(errors)

// Initial access tokens.

export const maxInitialAccessTokenLifetime = 2_592_000

const isRegistrationScope = (value: unknown): value is string => E.isRight(parseRegistrationScope(value))

const initialTokenRequest = objectOf<RuleId>({ object: 'json-object' })({
  scope: valueThat('registration-scope', isRegistrationScope),
  lifetime: optional(valueThat('lifetime', isLifetimeUpTo(maxInitialAccessTokenLifetime))),
})

type IssueFacts = WithBody & { readonly hash: TokenHash; readonly at: EpochSeconds }

export const decideInitialAccessToken =
  (settings: Pick<RegistrationSettings, 'initialAccessTokenLifetime'>) =>
  ({ body, hash, at }: IssueFacts): E.Either<InvalidRequest | InvalidScope, InitialAccessToken> =>
    pipe(
      body,
      E.flatMap(decodeBody(initialTokenRequest, refusedFor('registration-scope'))),
      E.flatMap(({ scope, lifetime = settings.initialAccessTokenLifetime }) =>
        pipe(
          parseRegistrationScope(scope),
          E.map((issued) => ({ hash, ...issued, expires_at: secondsAfter(at, lifetime) })),
        ),
      ),
    )

/** The body contains scope, and optionally lifetime in seconds. */
export const issueInitialAccessToken =
  (
    settings: Pick<RegistrationSettings, 'initialAccessTokenLifetime'>,
    ports: InitialAccessTokens & CredentialGenerator & AuditPorts,
  ) =>
  (
    request: OperatorRequest<'tokens'> & WithBody,
  ): Answer<TokenResponse, InvalidRequest | InvalidScope | UnknownClient> =>
  async () => {
    const { operator, body } = request
    const { token: access_token, hash } = ports.initialAccessToken()
    const at = ports.now()
    const token = decideInitialAccessToken(settings)({ body, hash, at })
    if (E.isLeft(token)) return token
    const { scope, expires_at } = token.right
    const row = auditedBy(ports, operator, request)(at, 'initial_access_token_issued', {
      subject: hash,
      members: ['expires_at', 'scope'],
    })
    const issued = Object.assign({ issued_by: issuerOf(operator) }, token.right)
    const added = await ports.addInitialAccessToken(issued, at, row)()
    if (E.isLeft(added)) return added
    return E.right({ access_token, token_type: 'Bearer', expires_in: expires_at - at, scope, id: hash })
  }

/** A token for the operator; its id is its keyed digest, which authorizes nothing. */
export const InitialAccessTokenDescription = recordWith(
  'InitialAccessTokenDescription',
  { id: t.string, scope: t.string, expires_at: EpochSeconds, expires_in: t.number },
  { issued_by: Issuer },
)
export type InitialAccessTokenDescription = t.TypeOf<typeof InitialAccessTokenDescription>

/** The tokens that can still register a client. */
export const listInitialAccessTokens =
  (ports: InitialAccessTokens & Clock): ForOperator<'tokens', Answer<TokenList<InitialAccessTokenDescription>>> =>
  () =>
    listed(ports, ports.listInitialAccessTokens, (at, { hash, scope, expires_at, issued_by }) => ({
      id: hash,
      scope,
      expires_at,
      expires_in: expires_at - at,
      ...(issued_by === undefined ? {} : { issued_by }),
    }))

/** Revokes the token of the id: it registers no client any more. */
export const revokeInitialAccessToken = (
  ports: InitialAccessTokens & Clock & AuditPorts,
): ((request: OperatorRequest<'tokens'> & { readonly id: string }) => Answer<void, UnknownInitialAccessToken>) =>
  revoking(ports, 'initial_access_token_revoked', ports.removeInitialAccessToken, unknownInitialAccessToken)

// Operator tokens.

const maxOperatorTokenLifetime = 31_536_000
const defaultOperatorTokenLifetime = 7_776_000

const maxName = 80

const isOperatorScope = (value: unknown): value is string =>
  pipe(parseManagementPrivileges(value), O.exists(permitsManagement(issuableManagementPrivileges)))

const isName = (value: unknown): value is string => typeof value === 'string' && isText(maxName)(value)

const operatorTokenRequest = objectOf<RuleId>({ object: 'json-object' })({
  scope: valueThat('operator-scope', isOperatorScope),
  name: optional(valueThat('operator-token-name', isName)),
  lifetime: optional(valueThat('operator-token-lifetime', isLifetimeUpTo(maxOperatorTokenLifetime))),
})

const decideOperatorToken = (
  { body, hash, at }: IssueFacts,
  issued_by: Issuer,
  fixed: { readonly name?: string; readonly lifetime?: number },
): E.Either<InvalidRequest | InvalidScope, OperatorToken> =>
  pipe(
    body,
    E.flatMap(decodeBody(operatorTokenRequest, refusedFor('operator-scope'))),
    E.map((sent) => {
      const { scope, name, lifetime = defaultOperatorTokenLifetime } = { ...sent, ...fixed }
      return {
        hash,
        privileges: O.getOrElse(() => noManagementPrivileges)(parseManagementPrivileges(scope)),
        ...(name === undefined ? {} : { name }),
        issued_at: at,
        expires_at: secondsAfter(at, lifetime),
        issued_by,
      }
    }),
  )

type IssueOperatorTokenPorts = OperatorTokens & CredentialGenerator & AuditPorts

type OperatorTokenAnswer<Result> = Answer<Result, InvalidRequest | InvalidScope>

/** Stores an operator token by the digest; what is fixed counts in place of what the body contains. */
const addedOperatorToken =
  (ports: IssueOperatorTokenPorts) =>
  (
    request: OperatorRequest<'operators'> & WithBody,
    hash: TokenHash,
    fixed: Parameters<typeof decideOperatorToken>[2],
  ): OperatorTokenAnswer<Issued> =>
  async () => {
    const { operator, body } = request
    const at = ports.now()
    const token = decideOperatorToken({ body, hash, at }, issuerOf(operator), fixed)
    if (E.isLeft(token)) return token
    const row = auditedBy(ports, operator, request)(at, 'operator_token_issued', {
      subject: hash,
      members: ['expires_at', 'privileges'],
    })
    const added = await ports.addOperatorToken(token.right, at, row)()
    if (E.isLeft(added)) return added
    const { expires_at, privileges } = token.right
    return E.right({ expires_in: expires_at - at, scope: managementScope(privileges), id: hash })
  }

/** The body contains scope, and optionally name, and lifetime in seconds. */
export const issueOperatorToken =
  (ports: IssueOperatorTokenPorts) =>
  (request: OperatorRequest<'operators'> & WithBody): OperatorTokenAnswer<TokenResponse> => {
    const { token: access_token, hash } = ports.initialAccessToken()
    return pipe(
      addedOperatorToken(ports)(request, hash, {}),
      TE.map((added) => ({ access_token, token_type: 'Bearer', ...added })),
    )
  }

/** A token for the operator; its id is its keyed digest, which authorizes nothing. */
export const OperatorTokenDescription = recordWith(
  'OperatorTokenDescription',
  {
    id: t.string,
    scope: t.string,
    issued_at: EpochSeconds,
    expires_at: EpochSeconds,
    expires_in: t.number,
    issued_by: Issuer,
  },
  { name: t.string },
)
export type OperatorTokenDescription = t.TypeOf<typeof OperatorTokenDescription>

export const listOperatorTokens =
  (ports: OperatorTokens & Clock): ForOperator<'operators', Answer<TokenList<OperatorTokenDescription>>> =>
  () =>
    listed(ports, ports.listOperatorTokens, (at, { hash, privileges, name, issued_at, expires_at, issued_by }) => ({
      id: hash,
      ...(name === undefined ? {} : { name }),
      scope: managementScope(privileges),
      issued_at,
      expires_at,
      expires_in: expires_at - at,
      issued_by,
    }))

/** Revokes the token of the id: it authorizes no request that comes later. */
export const revokeOperatorToken = (
  ports: OperatorTokens & Clock & AuditPorts,
): ((request: OperatorRequest<'operators'> & { readonly id: string }) => Answer<void, UnknownOperatorToken>) =>
  revoking(ports, 'operator_token_revoked', ports.removeOperatorToken, unknownOperatorToken)

/**
 * A link to the console has a ticket, which ends after ten minutes. A sign-in by it makes a session of a working day. In
 * seconds.
 */
export const consoleLink = { name: 'console', lifetime: 600, session: 28_800 } as const

/** RFC 6750 §2.1: a token has no space, so that nobody can present this text as one. A ticket counts at the sign-in alone. */
const hashOfTicket = ({ hashToken }: Hashing, ticket: string): TokenHash => hashToken(`console link ${ticket}`)

/** The body contains the scope of the session that begins with the ticket. */
export const issueConsoleTicket =
  (ports: IssueOperatorTokenPorts & Hashing) =>
  (request: OperatorRequest<'operators'> & WithBody): OperatorTokenAnswer<Issued & { readonly ticket: string }> => {
    const { token: ticket } = ports.initialAccessToken()
    return pipe(
      addedOperatorToken(ports)(request, hashOfTicket(ports, ticket), consoleLink),
      TE.map((added) => ({ ticket, ...added })),
    )
  }

/**
 * The sign-in by a link: in place of the ticket, an operator token with the same privileges counts, which only the cookie of
 * the browser stands for. Whoever comes second, or late, gets nothing; nor does whoever has an operator token.
 */
export const exchangeConsoleTicket =
  (ports: IssueOperatorTokenPorts & Hashing) =>
  (ticket: string, request: WithOrigin): Answer<O.Option<TokenHash>> =>
  async () => {
    const replaced = hashOfTicket(ports, ticket)
    const found = await ports.findOperatorToken(replaced)()
    if (E.isLeft(found)) return found
    const at = ports.now()
    const before = O.toUndefined(found.right)
    if (before === undefined || before.expires_at <= at) return E.right(O.none)
    const { hash } = ports.initialAccessToken()
    const row = audited(ports, request, {
      at,
      action: 'operator_token_issued',
      subject: hash,
      actor: actorOfOperatorToken(before),
      members: ['expires_at', 'privileges'],
    })
    const next = { ...before, hash, issued_at: at, expires_at: secondsAfter(at, consoleLink.session) }
    const added = await ports.addOperatorToken(next, at, row, replaced)()
    return E.isLeft(added) ? added : E.right(added.right ? O.some(hash) : O.none)
  }

// An operator may give another token the same name.
const isOfSession = ({ name, issued_at, expires_at }: OperatorToken): boolean =>
  name === consoleLink.name && expires_at - issued_at === consoleLink.session

/** The end of a visit that began with a link: its token, which nobody has, counts no more. Other tokens go on. */
export const endConsoleSession =
  (ports: OperatorTokens & Clock & AuditPorts) =>
  (operator: Operator, request: WithOrigin): Answer<void> =>
  async () => {
    const { id } = operator
    if (id === undefined) return E.right(undefined)
    const found = await ports.findOperatorToken(id)()
    if (E.isLeft(found)) return found
    if (!O.exists(isOfSession)(found.right)) return E.right(undefined)
    const row = auditedBy(ports, operator, request)(ports.now(), 'operator_token_revoked', { subject: id })
    const removed = await ports.removeOperatorToken(id, row)()
    return E.isLeft(removed) ? removed : E.right(undefined)
  }

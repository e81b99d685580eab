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
import type { RuleId } from '../kernel/rule-texts.js'
import { EpochSeconds, isLifetimeUpTo, secondsAfter } from '../kernel/time.js'
import { objectOf, recordWith } from '../kernel/values.js'
import type { Answer, Clock, CredentialGenerator } from '../ports/outside.js'
import type { InitialAccessTokens, OperatorTokens } from '../ports/store.js'
import type { RegistrationSettings } from '../registration/decide.js'
import { type AuditPorts, type OperatorRequest, type WithBody, type WithOrigin, audited, auditedBy } from './audit.js'

/** RFC 6749 §5.1 */
export type TokenResponse = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  /** By which the operator lists and revokes the token; it authorizes nothing. */
  readonly id: string
}

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
): E.Either<InvalidRequest | InvalidScope, OperatorToken> =>
  pipe(
    body,
    E.flatMap(decodeBody(operatorTokenRequest, refusedFor('operator-scope'))),
    E.map(({ scope, name, lifetime = defaultOperatorTokenLifetime }) => ({
      hash,
      privileges: O.getOrElse(() => noManagementPrivileges)(parseManagementPrivileges(scope)),
      ...(name === undefined ? {} : { name }),
      issued_at: at,
      expires_at: secondsAfter(at, lifetime),
      issued_by,
    })),
  )

/** The body contains scope, and optionally name, and lifetime in seconds. */
export const issueOperatorToken =
  (ports: OperatorTokens & CredentialGenerator & AuditPorts) =>
  (request: OperatorRequest<'operators'> & WithBody): Answer<TokenResponse, InvalidRequest | InvalidScope> =>
  async () => {
    const { operator, body } = request
    const { token: access_token, hash } = ports.initialAccessToken()
    const at = ports.now()
    const token = decideOperatorToken({ body, hash, at }, issuerOf(operator))
    if (E.isLeft(token)) return token
    const row = auditedBy(ports, operator, request)(at, 'operator_token_issued', {
      subject: hash,
      members: ['expires_at', 'privileges'],
    })
    const added = await ports.addOperatorToken(token.right, at, row)()
    if (E.isLeft(added)) return added
    const { expires_at, privileges } = token.right
    const scope = managementScope(privileges)
    return E.right({ access_token, token_type: 'Bearer', expires_in: expires_at - at, scope, id: hash })
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
 * The operator token of a link to the console: it ends after ten minutes, and a sign-in by it makes a session of a working
 * day. In seconds.
 */
export const consoleLink = { name: 'console', lifetime: 600, session: 28_800 } as const

const isOfLink = ({ name, issued_at, expires_at }: OperatorToken, at: EpochSeconds): boolean =>
  name === consoleLink.name && expires_at > at && expires_at - issued_at <= consoleLink.lifetime

const isOfSession = ({ name, issued_at, expires_at }: OperatorToken): boolean =>
  name === consoleLink.name && expires_at - issued_at <= consoleLink.session

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

/**
 * The sign-in by a link: its token counts no more, and another one with the same privileges takes its place, which only the
 * cookie of the browser stands for. Whoever comes second, or late, gets nothing; nor does whoever has another operator token.
 */
export const exchangeOperatorToken =
  (ports: OperatorTokens & CredentialGenerator & AuditPorts) =>
  (hash: TokenHash, request: WithOrigin): Answer<O.Option<TokenHash>> =>
  async () => {
    const found = await ports.findOperatorToken(hash)()
    if (E.isLeft(found)) return found
    const at = ports.now()
    const before = O.toUndefined(found.right)
    if (before === undefined || !isOfLink(before, at)) return E.right(O.none)
    const actor = actorOfOperatorToken(before)
    const removed = await ports.removeOperatorToken(
      hash,
      audited(ports, request, { at, action: 'operator_token_revoked', subject: hash, actor }),
    )()
    if (E.isLeft(removed)) return removed
    if (!removed.right) return E.right(O.none)
    const next = ports.initialAccessToken().hash
    const members = ['expires_at', 'privileges']
    const row = audited(ports, request, { at, action: 'operator_token_issued', subject: next, actor, members })
    const expires_at = secondsAfter(at, consoleLink.session)
    const added = await ports.addOperatorToken({ ...before, hash: next, issued_at: at, expires_at }, at, row)()
    return E.isLeft(added) ? added : E.right(O.some(next))
  }

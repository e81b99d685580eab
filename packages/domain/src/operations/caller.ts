// Who calls: the operator or the client behind a credential.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type ManagementPrivilege,
  type Operator,
  type OperatorRefusal,
  type OperatorsCredential,
  type PresentedCredential,
  type TokenHash,
  authorizeOperator,
  isOperators,
  neededForClients,
} from '../authorization/credential.js'
import { type InitialAccessToken, isInForce } from '../authorization/registrant.js'
import { ClientId } from '../client/ids.js'
import {
  type PreconditionFailed,
  type PreconditionRequired,
  type Unavailable,
  type UnknownClient,
  unknownClient,
} from '../kernel/refusals.js'
import { withdrawalOf } from '../life-cycle/states.js'
import type { Answer, Clock } from '../ports/outside.js'
import type { ClientRegistry, InitialAccessTokens, OperatorTokens } from '../ports/store.js'
import {
  type IfMatch,
  type RegisteredClient,
  checkPrecondition,
  opensClient,
} from '../registration/registered-client.js'
import { type ConfigurationRefusal, refusalWithoutClient } from '../registration/configuration.js'

/** The credential of an operator token in force, by its hash. */
const recognizeOperatorToken =
  ({ findOperatorToken, now }: OperatorTokens & Clock) =>
  (hash: TokenHash): Answer<O.Option<OperatorsCredential>> =>
    pipe(
      findOperatorToken(hash),
      TE.map(
        O.flatMap(({ privileges, name, expires_at }) =>
          now() < expires_at
            ? O.some({ kind: 'operator_token', hash, privileges, ...(name === undefined ? {} : { name }) })
            : O.none,
        ),
      ),
    )

/** An operator, by a credential that says what it permits. */
export type CallingOperator<Needed extends ManagementPrivilege> = {
  readonly by: 'operator'
  readonly credential: OperatorsCredential
  /** The proof of the needed privileges, or what is missing. */
  readonly operator: E.Either<OperatorRefusal, Operator<Needed>>
}

/** A token, and what it opens at this endpoint. */
export type Holder<Own> = {
  readonly by: 'token'
  readonly credential: Extract<PresentedCredential, { readonly kind: 'token' }>
  readonly own: Own
}

/** A credential that opens nothing here, or none. */
type Nobody = { readonly by: 'nobody'; readonly credential: PresentedCredential }

/** Who calls an endpoint that a token opens, or an operator: found out once, before the operation. */
export type Caller<Needed extends ManagementPrivilege, Own> = CallingOperator<Needed> | Holder<Own> | Nobody

/** The privileges that an operator needs to do this with a client. */
type NeededTo<Action extends keyof typeof neededForClients> = (typeof neededForClients)[Action][number]

type FindOwn<Own> = (hash: TokenHash) => Answer<O.Option<Own>>

/** What the token opens is looked up first, so that a token which opens something costs no look-up of operators. */
const identify = <Needed extends ManagementPrivilege, Own>(
  ports: OperatorTokens & Clock,
  needed: ReadonlyArray<Needed>,
): ((
  credential: PresentedCredential,
  findOwn: FindOwn<Own>,
) => Promise<E.Either<Unavailable, Caller<Needed, Own>>>) => {
  const recognize = recognizeOperatorToken(ports)
  const calling = (credential: OperatorsCredential): CallingOperator<Needed> => ({
    by: 'operator',
    credential,
    operator: authorizeOperator(credential, false, needed),
  })
  return async (credential, findOwn) => {
    if (isOperators(credential)) return E.right(calling(credential))
    if (credential.kind !== 'token') return E.right({ by: 'nobody', credential })
    const own = await findOwn(credential.hash)()
    if (E.isLeft(own)) return own
    if (O.isSome(own.right)) return E.right({ by: 'token', credential, own: own.right.value })
    const operator = await recognize(credential.hash)()
    if (E.isLeft(operator)) return operator
    return E.right(O.isSome(operator.right) ? calling(operator.right.value) : { by: 'nobody', credential })
  }
}

/** Whoever calls, the proof of the needed privileges, or the refusal. */
export type OperatorOrNobody<Needed extends ManagementPrivilege> =
  CallingOperator<Needed> | (Nobody & Pick<CallingOperator<Needed>, 'operator'>)

export type IdentifyOperatorPorts = ClientRegistry & InitialAccessTokens & OperatorTokens & Clock

const countsElsewhere =
  (ports: IdentifyOperatorPorts) =>
  (token: TokenHash): Answer<boolean> =>
    pipe(
      ports.findInitialAccessToken(token),
      TE.map(O.exists(isInForce(ports.now()))),
      TE.flatMap((isInitial) => (isInitial ? TE.right(true) : ports.isRegistrationAccessToken(token))),
    )

/** Who calls an endpoint of operators. A token that counts elsewhere permits too little, and any other is invalid. */
export const identifyOperator = (ports: IdentifyOperatorPorts) => {
  const counts = countsElsewhere(ports)
  return <Needed extends ManagementPrivilege>(
    needed: ReadonlyArray<Needed>,
  ): ((credential: PresentedCredential) => Answer<OperatorOrNobody<Needed>>) => {
    const identified = identify<Needed, never>(ports, needed)
    return (presented) => async () => {
      const caller = await identified(presented, () => TE.right(O.none))
      if (E.isLeft(caller)) return caller
      const { credential } = caller.right
      if (caller.right.by === 'operator') return E.right(caller.right)
      const elsewhere = credential.kind === 'token' ? await counts(credential.hash)() : E.right(false)
      if (E.isLeft(elsewhere)) return elsewhere
      return E.right({ by: 'nobody', credential, operator: authorizeOperator(credential, elsewhere.right, needed) })
    }
  }
}

/** The client of the id, which is any text. */
export const findClient = (ports: ClientRegistry, id: string): Answer<O.Option<RegisteredClient>> =>
  ClientId.is(id) ? ports.findClient(id) : TE.right(O.none)

/** The same for an operator, who learns whether it exists. */
export const findForOperator = (ports: ClientRegistry, id: string): Answer<RegisteredClient, UnknownClient> =>
  pipe(findClient(ports, id), TE.flatMapEither(E.fromOption(() => unknownClient)))

/** A client that an operator changes; where the request names a version, no other one. */
export type NamedVersion = { readonly clientId: string; readonly ifMatch?: IfMatch }

export type UnknownVersion = UnknownClient | PreconditionFailed | PreconditionRequired

/** RFC 9110 §13.1.1: the client, unless it is in another version than the operator names, or must name. */
export const findVersion = (
  ports: ClientRegistry,
  { clientId, ifMatch }: NamedVersion,
  isRequired = false,
): Answer<RegisteredClient, UnknownVersion> =>
  pipe(
    findForOperator(ports, clientId),
    TE.tap((client) => TE.fromEither(checkPrecondition(isRequired, ifMatch)(client))),
  )

type NamedClient = { readonly credential: PresentedCredential; readonly clientId: string }

/**
 * The client that a path names. Without a valid identifier and a credential there is no look-up. A registration access
 * token finds only its own client, so that a wrong token costs the same whether the client exists or not.
 */
export const findNamedClient =
  (ports: ClientRegistry) =>
  ({ credential, clientId }: NamedClient): Answer<O.Option<RegisteredClient>> => {
    if (!ClientId.is(clientId)) return TE.right(O.none)
    switch (credential.kind) {
      case 'none':
      case 'unusable':
        return TE.right(O.none)
      case 'store':
      case 'master':
      case 'operator_token':
        return ports.findClient(clientId)
      case 'token':
        return ports.findClientByToken(clientId, credential.hash)
    }
  }

/** Who calls for the client that a path names (RFC 7592 §2): its own token opens it now. */
export type CallerOfClient<Action extends 'read' | 'update'> = Caller<NeededTo<Action>, RegisteredClient> & {
  readonly clientId: string
}

export const identifyHolder = <Action extends 'read' | 'update'>(
  ports: ClientRegistry & OperatorTokens & Clock,
  action: Action,
): ((request: NamedClient) => Answer<CallerOfClient<Action>>) => {
  const identified = identify<NeededTo<Action>, RegisteredClient>(ports, neededForClients[action])
  const find = findNamedClient(ports)
  return ({ credential, clientId }) =>
    pipe(
      () =>
        identified(credential, (hash) =>
          pipe(find({ credential, clientId }), TE.map(O.filter((client) => opensClient(client, hash, ports.now())))),
        ),
      TE.map((caller) => ({ ...caller, clientId })),
    )
}

/**
 * Who calls to remove the client that a path names. Whether a token is this client's is compared by the removal, so that
 * nothing is decrypted.
 */
export type Remover = Caller<NeededTo<'remove'>, 'of a client'> & { readonly clientId: string }

export const identifyRemover = (
  ports: ClientRegistry & OperatorTokens & Clock,
): ((request: NamedClient) => Answer<Remover>) => {
  const identified = identify<NeededTo<'remove'>, 'of a client'>(ports, neededForClients.remove)
  const findOwn: FindOwn<'of a client'> = (hash) =>
    pipe(
      ports.isRegistrationAccessToken(hash),
      TE.map((isOne) => (isOne ? O.some('of a client') : O.none)),
    )
  return ({ credential, clientId }) =>
    pipe(
      () => identified(credential, findOwn),
      TE.map((caller) => ({ ...caller, clientId })),
    )
}

/** Who registers: an initial access token in force, unless the client to which it was issued is not in force. */
export type RegistrationCaller = Caller<NeededTo<'register'>, InitialAccessToken>

export const identifyRegistrant = (
  ports: InitialAccessTokens & ClientRegistry & OperatorTokens & Clock,
): ((credential: PresentedCredential) => Answer<RegistrationCaller>) => {
  const identified = identify<NeededTo<'register'>, InitialAccessToken>(ports, neededForClients.register)
  const findToken: FindOwn<InitialAccessToken> = (hash) => async () => {
    const found = await ports.findInitialAccessToken(hash)()
    if (E.isLeft(found)) return found
    const token = O.filter(isInForce(ports.now()))(found.right)
    const owner = O.isSome(token) ? token.value.owner : undefined
    if (owner === undefined) return E.right(token)
    const client = await ports.findClient(owner.client_id)()
    if (E.isLeft(client)) return client
    return E.right(O.isSome(client.right) && withdrawalOf(client.right.value) !== undefined ? O.none : token)
  }
  return (credential) => () => identified(credential, findToken)
}

/** The credential of whom it authorizes here, or the refusal (RFC 7592 §2). */
export const authorizedCredential = (
  caller: Caller<never, unknown>,
): E.Either<ConfigurationRefusal, PresentedCredential> => {
  const { credential } = caller
  if (caller.by === 'nobody') return E.left(refusalWithoutClient(credential))
  return caller.by === 'operator' && E.isLeft(caller.operator) ? caller.operator : E.right(credential)
}

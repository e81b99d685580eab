// Who calls: the operator or the client behind a credential.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type PresentedCredential, type TokenHash, isOperators } from '../authorization/credential.js'
import {
  type Issuer,
  type Operator,
  type OperatorRefusal,
  authorizeOperator,
  fingerprintOf,
} from '../authorization/operator.js'
import type { ManagementPrivilege } from '../authorization/management.js'
import { isInForce } from '../authorization/registrant.js'
import { ClientId } from '../client/ids.js'
import type { InsufficientScope, InvalidToken, MissingToken, Unavailable } from '../kernel/refusals.js'
import type { Clock } from '../ports/outside.js'
import type { ClientRegistry, InitialAccessTokens, OperatorTokens } from '../ports/store.js'
import { type RegisteredClient, opensClient } from '../registration/registered-client.js'
import { type ConfigurationRefusal, refusalWithoutClient } from '../registration/update.js'

type OperatorCredential = Extract<PresentedCredential, { readonly kind: Issuer['kind'] }>

/** The credential of an operator token in force, by its hash. */
const recognizeOperatorToken =
  ({ findOperatorToken, now }: OperatorTokens & Clock) =>
  (hash: TokenHash): TE.TaskEither<Unavailable, O.Option<OperatorCredential>> =>
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

export type Recognized = (operator: Pick<Issuer, 'kind' | 'fingerprint'>) => void

const identityOf = (credential: OperatorCredential): Pick<Issuer, 'kind' | 'fingerprint'> => ({
  kind: credential.kind,
  fingerprint: credential.kind === 'store' ? '' : fingerprintOf(credential.hash),
})

/** A request, and what its log entry is told of the operator who sends it. */
export type RequestOfActor = {
  readonly credential: PresentedCredential
  /** Called at most once, for a credential that is recognized as an operator's, whatever it permits. */
  readonly recognized?: Recognized | undefined
}

type Refused = MissingToken | InvalidToken | InsufficientScope | Unavailable

/** An operator, by a credential that says what it permits. */
export type CallingOperator<Needed extends ManagementPrivilege> = {
  readonly by: 'operator'
  readonly credential: OperatorCredential
  readonly operator: Operator<Needed>
}

/** The operator behind a credential, who needs the privileges; none where it is no operator's. */
export const operatorBehind = <Needed extends ManagementPrivilege>(
  ports: OperatorTokens & Clock,
  needed: ReadonlyArray<Needed>,
): ((request: RequestOfActor) => Promise<E.Either<Refused, O.Option<CallingOperator<Needed>>>>) => {
  const recognize = recognizeOperatorToken(ports)
  const credentialOf = (credential: PresentedCredential): TE.TaskEither<Unavailable, O.Option<OperatorCredential>> => {
    if (isOperators(credential)) return TE.right(O.some(credential))
    return credential.kind === 'token' ? recognize(credential.hash) : TE.right(O.none)
  }
  return async ({ credential: presented, recognized }) => {
    const found = await credentialOf(presented)()
    if (E.isLeft(found)) return found
    if (O.isNone(found.right)) return E.right(O.none)
    const credential = found.right.value
    recognized?.(identityOf(credential))
    return E.map((operator: Operator<Needed>) => O.some({ by: 'operator' as const, credential, operator }))(
      authorizeOperator(credential, false, needed),
    )
  }
}

/** A token, and what it opens at this endpoint. */
export type Holder<Own> = {
  readonly by: 'token'
  readonly credential: Extract<PresentedCredential, { readonly kind: 'token' }>
  readonly own: Own
}

/** A credential that opens nothing here, or none. */
type Nobody = { readonly by: 'nobody'; readonly credential: PresentedCredential }

/** Who calls an endpoint that the token of a client opens, or an operator. */
export type Caller<Needed extends ManagementPrivilege, Own> = CallingOperator<Needed> | Holder<Own> | Nobody

export type Identified<Needed extends ManagementPrivilege, Own> = Promise<E.Either<Refused, Caller<Needed, Own>>>

/**
 * Who calls, found out once, before the operation. What the token opens is looked up first, so that a token which opens
 * something costs no look-up of operators.
 */
export const identify = <Needed extends ManagementPrivilege, Own>(
  ports: OperatorTokens & Clock,
  needed: ReadonlyArray<Needed>,
): ((
  request: RequestOfActor,
  findOwn: (hash: TokenHash) => TE.TaskEither<Unavailable, O.Option<Own>>,
) => Identified<Needed, Own>) => {
  const operatorOf = operatorBehind(ports, needed)
  return async (request, findOwn) => {
    const { credential } = request
    if (credential.kind === 'token') {
      const own = await findOwn(credential.hash)()
      if (E.isLeft(own)) return own
      if (O.isSome(own.right)) return E.right({ by: 'token', credential, own: own.right.value })
    }
    const operator = await operatorOf(request)
    if (E.isLeft(operator)) return operator
    return E.right(O.isSome(operator.right) ? operator.right.value : { by: 'nobody', credential })
  }
}

export type RequireOperatorPorts = ClientRegistry & InitialAccessTokens & OperatorTokens & Clock

const countsElsewhere =
  (ports: RequireOperatorPorts) =>
  (token: TokenHash): TE.TaskEither<Unavailable, boolean> =>
    pipe(
      ports.findInitialAccessToken(token),
      TE.map(O.exists(isInForce(ports.now()))),
      TE.flatMap((isInitial) => (isInitial ? TE.right(true) : ports.isRegistrationAccessToken(token))),
    )

/**
 * The operator with the privileges, authorized by the master token or by an operator token. `recognized` is called for an
 * operator's credential, whatever it permits.
 */
export const requireOperator = (ports: RequireOperatorPorts) => {
  const counts = countsElsewhere(ports)
  return <Needed extends ManagementPrivilege>(needed: ReadonlyArray<Needed>) => {
    const operatorOf = operatorBehind(ports, needed)
    return (
        credential: PresentedCredential,
        recognized?: Recognized,
      ): TE.TaskEither<OperatorRefusal | Unavailable, Operator<Needed>> =>
      async () => {
        const found = await operatorOf({ credential, recognized })
        if (E.isLeft(found)) return found
        if (O.isSome(found.right)) return E.right(found.right.value.operator)
        const elsewhere = credential.kind === 'token' ? await counts(credential.hash)() : E.right(false)
        return E.isLeft(elsewhere) ? elsewhere : authorizeOperator(credential, elsewhere.right, needed)
      }
  }
}

/**
 * The client that a path names. Without a valid identifier and a credential there is no look-up. A registration access
 * token finds only its own client, so that a wrong token costs the same whether the client exists or not.
 */
export const findNamedClient =
  (ports: ClientRegistry) =>
  ({
    credential,
    clientId,
  }: {
    readonly credential: PresentedCredential
    readonly clientId: string
  }): TE.TaskEither<Unavailable, O.Option<RegisteredClient>> => {
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

/** Who calls for the client that a path names (RFC 7592 §2): an operator, or the client by a token that opens it now. */
export const identifyHolder = <Needed extends ManagementPrivilege>(
  ports: ClientRegistry & OperatorTokens & Clock,
  needed: ReadonlyArray<Needed>,
): ((
  request: RequestOfActor & { readonly clientId: string },
) => Promise<E.Either<Refused | ConfigurationRefusal, CallingOperator<Needed> | Holder<RegisteredClient>>>) => {
  const identified = identify<Needed, RegisteredClient>(ports, needed)
  return async (request) => {
    const { credential, clientId } = request
    const caller = await identified(request, (hash) =>
      pipe(
        findNamedClient(ports)({ credential, clientId }),
        TE.map(O.filter((client) => opensClient(client, hash, ports.now()))),
      ),
    )
    if (E.isLeft(caller)) return caller
    return caller.right.by === 'nobody' ? E.left(refusalWithoutClient(credential)) : E.right(caller.right)
  }
}

// Who calls: the operator or the client behind a credential.
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
import type { CredentialGenerator } from '../ports/outside.js'
import type { ClientRegistry, InitialAccessTokens, OperatorTokens } from '../ports/store.js'
import type { RegisteredClient } from '../registration/registered-client.js'

export type RecognizeOperatorPorts = Pick<OperatorTokens, 'findOperatorToken'> & Pick<CredentialGenerator, 'now'>

type OperatorCredential = Extract<PresentedCredential, { readonly kind: Issuer['kind'] }>

/** The credential of an operator token in force, by its hash. */
const recognizeOperatorToken =
  ({ findOperatorToken, now }: RecognizeOperatorPorts) =>
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

/**
 * Runs an operation that a client's token authorizes, or an operator. A token that authorizes nothing there is looked up
 * among the operator tokens afterwards, so that the look-up costs the tokens of clients nothing; its operator needs the
 * privileges.
 */
export const orAsOperator =
  <Needed extends ManagementPrivilege>(ports: RecognizeOperatorPorts, needed: ReadonlyArray<Needed>) =>
  <Request extends RequestOfActor, Failure extends { readonly error: string }, Result>(
    run: (request: Request, operator?: Operator<Needed>) => TE.TaskEither<Failure, Result>,
  ): ((request: Request) => TE.TaskEither<Failure | Refused, Result>) => {
    const recognize = recognizeOperatorToken(ports)
    const asOperator = (request: Request, credential: OperatorCredential): TE.TaskEither<Failure | Refused, Result> =>
      pipe(
        TE.fromIO(() => request.recognized?.(identityOf(credential))),
        TE.flatMapEither(() => authorizeOperator(credential, false, needed)),
        TE.flatMap((operator) => run({ ...request, credential }, operator)),
      )
    return (request) => {
      const { credential } = request
      if (isOperators(credential)) return asOperator(request, credential)
      if (credential.kind !== 'token') return run(request)
      return pipe(
        run(request),
        TE.orElse((refusal) =>
          refusal.error !== 'invalid_token'
            ? TE.left(refusal)
            : pipe(
                recognize(credential.hash),
                TE.flatMap(
                  O.match(
                    (): TE.TaskEither<Failure | Refused, Result> => TE.left(refusal),
                    (recognized) => asOperator(request, recognized),
                  ),
                ),
              ),
        ),
      )
    }
  }

export type RequireOperatorPorts = Pick<ClientRegistry, 'isRegistrationAccessToken'> &
  Pick<InitialAccessTokens, 'findInitialAccessToken'> &
  RecognizeOperatorPorts

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
 * operator token in force, whatever it permits.
 */
export const requireOperator = (ports: RequireOperatorPorts) => {
  const recognize = recognizeOperatorToken(ports)
  const counts = countsElsewhere(ports)
  return <Needed extends ManagementPrivilege>(needed: ReadonlyArray<Needed>) =>
    (
      credential: PresentedCredential,
      recognized?: Recognized,
    ): TE.TaskEither<OperatorRefusal | Unavailable, Operator<Needed>> =>
      credential.kind === 'token'
        ? pipe(
            recognize(credential.hash),
            TE.flatMap(
              O.match(
                () =>
                  pipe(
                    counts(credential.hash),
                    TE.flatMapEither((elsewhere) => authorizeOperator(credential, elsewhere, needed)),
                  ),
                (found) =>
                  pipe(
                    TE.fromIO(() => recognized?.(identityOf(found))),
                    TE.flatMapEither(() => authorizeOperator(found, false, needed)),
                  ),
              ),
            ),
          )
        : TE.fromEither(authorizeOperator(credential, false, needed))
}

export type FindNamedPorts = Pick<ClientRegistry, 'findClient' | 'findClientByToken'>

/**
 * The client that a path names. Without a valid identifier and a credential there is no look-up. A registration access
 * token finds only its own client, so that a wrong token costs the same whether the client exists or not.
 */
export const findNamedClient =
  (ports: FindNamedPorts) =>
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

import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { IdempotencyConflict, IdempotencyKeyReused, Unavailable } from '../../errors.js'
import type { ClientRegistry } from '../../ports/client-registry.js'
import type { CredentialGenerator } from '../../ports/credential-generator.js'
import { type HashText, type KeyedRequest, decideRepetition, keyedRequest } from '../../registration/idempotency.js'
import type { RegisteredClient } from '../../registration/registered-client.js'
import { confirmed } from './confirmed.js'

type KeyPorts = Pick<ClientRegistry, 'findKeyedRegistration' | 'findClient' | 'confirmReads'> & {
  readonly hashToken: HashText
}

/** Without the ports for keys, a key has no effect. */
export type AnswerAgainPorts = Partial<KeyPorts> & Pick<CredentialGenerator, 'now'>

type NotAnswered = IdempotencyKeyReused | IdempotencyConflict | Unavailable

type Find = (requested: KeyedRequest) => TE.TaskEither<NotAnswered, O.Option<RegisteredClient>>

const findWith = (ports: KeyPorts & AnswerAgainPorts): Find => {
  const decide = decideRepetition(ports.hashToken)
  return (requested) => async () => {
    const found = await ports.findKeyedRegistration(requested.key)()
    if (E.isLeft(found)) return found
    const client = O.isNone(found.right) ? E.right(O.none) : await ports.findClient(found.right.value.client_id)()
    if (E.isLeft(client)) return client
    return decide(requested, { found: found.right, client: client.right }, ports.now())
  }
}

const hasKeys = (ports: AnswerAgainPorts): ports is KeyPorts & AnswerAgainPorts =>
  ports.hashToken !== undefined &&
  ports.findKeyedRegistration !== undefined &&
  ports.findClient !== undefined &&
  ports.confirmReads !== undefined

/**
 * Runs the registration; where it is refused, it may have been made by the same request before, which has spent its token
 * or taken its client_id. So the first request with a key reads nothing more, and one at once with it finds its client.
 */
export const answerAgain =
  (ports: AnswerAgainPorts) =>
  <Request extends Parameters<ReturnType<typeof keyedRequest>>[0], Failure extends { readonly error: string }>(
    run: (request: Request, keyed: KeyedRequest | undefined) => TE.TaskEither<Failure, RegisteredClient>,
  ): ((request: Request) => TE.TaskEither<Failure | NotAnswered, RegisteredClient>) => {
    if (!hasKeys(ports)) return (request) => run(request, undefined)
    const keyed = keyedRequest(ports.hashToken)
    const find = findWith(ports)
    return (request) => async () => {
      const requested = keyed(request)
      const outcome = await run(request, requested)()
      if (E.isRight(outcome) || requested === undefined || outcome.left.error === 'missing_token') return outcome
      const before = await find(requested)()
      if (E.isLeft(before)) return before
      return O.isSome(before.right) ? confirmed(ports)(E.right(before.right.value))() : outcome
    }
  }

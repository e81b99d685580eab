import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { ClientId } from '../client/ids.js'
import { secondsAfter } from '../kernel/time.js'
import type { Answer, Clock, Hashing } from '../ports/outside.js'
import type { Artefacts, ClientRegistry } from '../ports/store.js'
import {
  type InvalidClient,
  type PresentedMethod,
  decideClientAuthentication,
} from '../registration/client-authentication.js'
import type { RegisteredClient } from '../registration/registered-client.js'

/** RFC 6749 §2.3.1: the client and the secret of a request to the provider. */
export type AuthenticateClientRequest = {
  readonly clientId: string
  readonly method: PresentedMethod
  readonly secret?: string
}

const unregistered: Answer<O.Option<RegisteredClient>> = TE.right(O.none)

/** The client that the request authenticates. Secrets are compared by their digests. */
export const authenticateClient =
  ({ findClient, hashToken, now }: ClientRegistry & Clock & Hashing) =>
  ({ clientId, method, secret = '' }: AuthenticateClientRequest): Answer<RegisteredClient, InvalidClient> => {
    const presented = hashToken(secret)
    const isOf = ({ secret: own }: RegisteredClient): boolean =>
      own !== undefined && hashToken(own.client_secret) === presented
    return pipe(
      ClientId.is(clientId) ? findClient(clientId) : unregistered,
      TE.flatMapEither((client) =>
        decideClientAuthentication(now())({ client, method, presentsSecret: O.exists(isOf)(client) }),
      ),
    )
  }

// The attempts to guess a password: OWASP ASVS 5.0 §6.3.1. Each is claimed in the store, so that a repeated form, another
// instance or a restart gives no further one.

/** The attempts of one interaction. */
export const maxLoginAttempts = 5

/** In seconds: longer than any interaction lasts. */
const remembered = 7_200

type LoginAttempt = { readonly interaction: string; readonly attempt: number }

const isPermitted = (attempt: number): boolean =>
  Number.isInteger(attempt) && attempt >= 1 && attempt <= maxLoginAttempts

/** True once for each permitted attempt, also when several requests claim it at the same time. */
export const claimLoginAttempt =
  (ports: Artefacts & Clock & Hashing) =>
  ({ interaction, attempt }: LoginAttempt): Answer<boolean> =>
  async () => {
    if (!isPermitted(attempt)) return E.right(false)
    const at = ports.now()
    const hash = ports.hashToken(`login attempt ${attempt} of ${interaction}`)
    const artefact = { kind: 'replay' as const, hash, expires_at: secondsAfter(at, remembered), payload: {} }
    const stored = await ports.storeArtefact(artefact, at)()
    if (E.isLeft(stored))
      return E.left(stored.left.error === 'unavailable' ? stored.left : { error: 'unavailable', detail: stored.left })
    const consumed = await ports.consumeArtefact('replay', hash, at)()
    if (E.isRight(consumed)) return E.right(true)
    return consumed.left.error === 'unavailable' ? E.left(consumed.left) : E.right(false)
  }

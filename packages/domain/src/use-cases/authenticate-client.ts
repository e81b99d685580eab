import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../authorization/credential.js'
import { ClientId } from '../client/client-id.js'
import type { Unavailable } from '../errors.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import {
  type InvalidClient,
  type PresentedMethod,
  decideClientAuthentication,
} from '../registration/decide-client-authentication.js'
import type { RegisteredClient } from '../registration/registered-client.js'

/** RFC 6749 §2.3.1: the client and the secret of a request to the provider. */
export type AuthenticateClientRequest = {
  readonly clientId: string
  readonly method: PresentedMethod
  readonly secret?: string
}

export type AuthenticateClientPorts = Pick<ClientRegistry, 'findClient'> &
  Pick<CredentialGenerator, 'now'> & { readonly hashToken: (secret: string) => TokenHash }

const unregistered: TE.TaskEither<Unavailable, O.Option<RegisteredClient>> = TE.right(O.none)

/** The client that the request authenticates. Secrets are compared by their digests. */
export const authenticateClient =
  ({ findClient, hashToken, now }: AuthenticateClientPorts) =>
  ({
    clientId,
    method,
    secret = '',
  }: AuthenticateClientRequest): TE.TaskEither<InvalidClient | Unavailable, RegisteredClient> => {
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

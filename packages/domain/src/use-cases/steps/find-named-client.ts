import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PresentedCredential } from '../../authorization/credential.js'
import { ClientId } from '../../client/client-id.js'
import type { RegisteredClient } from '../../registration/registered-client.js'
import type { Unavailable } from '../../errors.js'
import type { ClientRegistry } from '../../ports/client-registry.js'

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

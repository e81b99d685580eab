// The operator removes a client of the list: docs/managing-clients.md.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import type { Operator } from '../authorization/operator.js'
import { ClientId } from '../client/client-id.js'
import { type Unavailable, type UnknownClient, unknownClient } from '../errors.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'
import { confirmed } from './steps/confirmed.js'
import type { MakeTombstone } from './steps/tombstone.js'

export type RemoveListedClientPorts = Pick<ClientRegistry, 'removeClient' | 'confirmReads'> &
  Pick<CredentialGenerator, 'now'> &
  AuditPorts & { readonly tombstone?: MakeTombstone }

export type RemoveListedClientRequest = WithOrigin & {
  readonly operator: Operator<'clients:write'>
  readonly clientId: string
}

/** Removes a client with all that is recorded for it, as DELETE /clients/{id} does. */
export const removeListedClient =
  (ports: RemoveListedClientPorts) =>
  (request: RemoveListedClientRequest): TE.TaskEither<UnknownClient | Unavailable, void> => {
    const { operator, clientId } = request
    if (!ClientId.is(clientId)) return TE.left(unknownClient)
    const row = audited(ports, request, () => ({
      at: ports.now(),
      action: 'client_deleted',
      client_id: clientId,
      actor: actorOfOperator(operator),
      members: [],
    }))
    return pipe(
      ports.removeClient(clientId, O.none, ports.tombstone?.(clientId), row),
      TE.orElse((refusal) =>
        refusal.error === 'unavailable' ? TE.left(refusal) : confirmed(ports)(E.left(unknownClient)),
      ),
    )
  }

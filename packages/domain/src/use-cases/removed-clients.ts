// The operator lists the clients that the service removed by itself, and restores one: docs/life-cycle.md.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import type { ForOperator, Operator } from '../authorization/operator.js'
import { ClientId } from '../client/client-id.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import {
  type InvalidRequest,
  type RestorationConflict,
  type Unavailable,
  type UnknownClient,
  restorationConflict,
  unknownClient,
} from '../errors.js'
import { type LifeCyclePolicy, restorableSince } from '../life-cycle/client-state.js'
import { type Parameters, decodePage } from '../managing/decode-query.js'
import { type DescribedClient, describeClient } from '../managing/described-client.js'
import { positionText } from '../managing/list-position.js'
import type { ClientUses, RemovedClient } from '../ports/client-uses.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'
import type { MakeTombstone } from './steps/tombstone.js'

export type RemovedClientsPorts = Pick<ClientUses, 'listRemoved'> &
  Pick<CredentialGenerator, 'now'> & { readonly lifeCycle: LifeCyclePolicy }

/** A page of the clients that can be restored, in the order of their removal: as a list describes them, with two times. */
export type RemovalsPage = {
  readonly removed: ReadonlyArray<
    DescribedClient & { readonly removed_at: EpochSeconds; readonly restorable_until: EpochSeconds }
  >
  readonly next?: string
}

export const listRemovedClients =
  ({
    listRemoved,
    now,
    lifeCycle,
  }: RemovedClientsPorts): ForOperator<
    'clients:read',
    (query: Parameters) => TE.TaskEither<InvalidRequest | Unavailable, RemovalsPage>
  > =>
  () =>
  (query) => {
    const at = now()
    const described = ({ client, removed_at }: RemovedClient): RemovalsPage['removed'][number] => ({
      ...describeClient({ now: at, lifeCycle })(client),
      state: 'gone',
      removed_at,
      restorable_until: secondsAfter(removed_at, lifeCycle.restorableFor),
    })
    return pipe(
      TE.fromEither(decodePage(query)),
      TE.flatMap(({ after, limit }) => listRemoved(restorableSince(at, lifeCycle), { after, max: limit })),
      TE.map(({ clients, next }) => ({
        removed: clients.map(described),
        ...(next === undefined ? {} : { next: positionText(next) }),
      })),
    )
  }

export type RestoreClientPorts = Pick<ClientUses, 'restoreRemoved'> &
  Pick<CredentialGenerator, 'now'> &
  AuditPorts & { readonly lifeCycle: LifeCyclePolicy; readonly tombstone?: MakeTombstone }

export type RestoreClientRequest = WithOrigin & {
  readonly operator: Operator<'clients:write'>
  readonly clientId: string
}

/** The client is registered again as it was, with its credentials, and begins to wait for its first use. */
export const restoreClient =
  (ports: RestoreClientPorts) =>
  (
    request: RestoreClientRequest,
  ): TE.TaskEither<UnknownClient | RestorationConflict | Unavailable, { readonly client_id: ClientId }> => {
    const { operator, clientId } = request
    if (!ClientId.is(clientId)) return TE.left(unknownClient)
    const at = ports.now()
    const row = audited(ports, request, () => ({
      at,
      action: 'client_restored',
      client_id: clientId,
      actor: actorOfOperator(operator),
      members: [],
    }))
    return pipe(
      ports.restoreRemoved(
        clientId,
        { since: restorableSince(at, ports.lifeCycle), at, tombstone: ports.tombstone?.(clientId).id },
        row,
      ),
      TE.mapLeft((refusal) => (refusal.error === 'client_id_taken' ? restorationConflict : refusal)),
      TE.map(() => ({ client_id: clientId })),
    )
  }

// The operator suspends a client, and resumes it: docs/life-cycle.md.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import { changedMembers } from '../audit/changed-members.js'
import type { Operator } from '../authorization/operator.js'
import { ClientId } from '../client/client-id.js'
import { type Unavailable, type UnknownClient, unknownClient } from '../errors.js'
import { isSuspended } from '../life-cycle/doors.js'
import type { ClientChanged, ClientRegistry } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { Turns } from '../ports/turns.js'
import { type RegisteredClient, resumedClient, suspendedClient } from '../registration/registered-client.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'
import { confirmed } from './steps/confirmed.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'

export type SuspendClientRequest = WithOrigin & {
  readonly operator: Operator<'clients:write'>
  readonly clientId: string
}

export type SuspendClientError = UnknownClient | Unavailable

export type SuspendClientPorts = Pick<ClientRegistry, 'findClient' | 'replaceClient' | 'confirmReads'> &
  Pick<CredentialGenerator, 'now'> &
  AuditPorts &
  Turns

/** Whether the client was in the requested state before: then nothing was written. */
export type ChangedSuspension = { readonly client_id: ClientId; readonly unchanged: boolean }

type Change = (client: RegisteredClient) => RegisteredClient | undefined

const changeClient =
  (ports: SuspendClientPorts, action: 'client_suspended' | 'client_resumed', changed: Change) =>
  (request: SuspendClientRequest): TE.TaskEither<SuspendClientError, ChangedSuspension> => {
    const { clientId, operator } = request
    const change: TE.TaskEither<SuspendClientError | ClientChanged, ChangedSuspension> = async () => {
      if (!ClientId.is(clientId)) return E.left(unknownClient)
      const found = await ports.findClient(clientId)()
      if (E.isLeft(found)) return found
      if (O.isNone(found.right)) return E.left(unknownClient)
      const next = changed(found.right.value)
      if (next === undefined) return confirmed(ports)(E.right({ client_id: clientId, unchanged: true }))()
      const { value } = found.right
      const row = audited(ports, request, () => ({
        at: ports.now(),
        action,
        client_id: clientId,
        actor: actorOfOperator(operator),
        members: changedMembers(value, next),
      }))
      const replaced = await ports.replaceClient(next, value, row)()
      return E.isLeft(replaced) ? replaced : E.right({ client_id: clientId, unchanged: false })
    }
    return serializeOnConflict(ports, `client ${clientId}`)(change)
  }

/** From then on every door refuses the client, and its artefacts are without effect until it is resumed. */
export const suspendClient = (
  ports: SuspendClientPorts,
): ((request: SuspendClientRequest) => TE.TaskEither<SuspendClientError, ChangedSuspension>) =>
  changeClient(ports, 'client_suspended', (client) =>
    isSuspended(client) ? undefined : suspendedClient(ports.now())(client),
  )

/** The client is as before its suspension, with the artefacts that have not expired meanwhile. */
export const resumeClient = (
  ports: SuspendClientPorts,
): ((request: SuspendClientRequest) => TE.TaskEither<SuspendClientError, ChangedSuspension>) =>
  changeClient(ports, 'client_resumed', (client) =>
    isSuspended(client) ? resumedClient(ports.now())(client) : undefined,
  )

// draft-ietf-oauth-client-id-metadata-document-02 §5, §8.4: an end-user consents to a client with its document; decision 0145.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type AuditActor, type AuditEntry, type AuditRow, type HashText, actorOfEndUser } from '../audit/audit-entry.js'
import { type Source, sourceNamed } from '../abuse/source.js'
import { changedMembers } from '../audit/changed-members.js'
import { isSameMetadata, withDocument } from '../client-documents/documented-client.js'
import type { DocumentSettings } from '../client-documents/permit-document.js'
import { type RegistryFull, type TooManyRequests, type Unavailable, tooManyRequests } from '../errors.js'
import type { BudgetConsumption } from '../ports/budget-consumption.js'
import { type ClientChanged, type ClientRegistry, clientChanged } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { Turns } from '../ports/turns.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { Subject } from '../sessions/end-user-session.js'
import { limitsOf } from './steps/add-or-repeat.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'

/** The origin of a change that this service makes by itself. */
export type OwnChanges = AuditPorts & { readonly changeOrigin: () => WithOrigin }

export type ApproveDocumentPorts = Pick<ClientRegistry, 'findClient' | 'addClient' | 'replaceClient'> &
  Pick<CredentialGenerator, 'now'> & { readonly hashToken: HashText } & OwnChanges &
  Partial<BudgetConsumption> &
  Turns

/** Before what nobody vouches for is stored: docs/abuse.md. */
export const consumeForDocument = (
  { consumeBudget }: Partial<BudgetConsumption>,
  source: Source,
): TE.TaskEither<TooManyRequests, void> =>
  consumeBudget === undefined
    ? TE.right(undefined)
    : pipe(consumeBudget('documents', source), TE.mapLeft(tooManyRequests('documents')))

/** Of a client that is stored because of its document. */
export const rowOfDocument = (
  ports: OwnChanges,
  actor: AuditActor,
  action: Extract<AuditEntry['action'], 'client_registered' | 'client_updated'>,
  at: AuditEntry['at'],
  next: RegisteredClient,
  before?: RegisteredClient,
): AuditRow | undefined =>
  audited(ports, ports.changeOrigin(), () => ({
    at,
    action,
    client_id: next.client_id,
    actor,
    members: changedMembers(before, next),
  }))

type Approved<Refusal> = TE.TaskEither<Refusal | Unavailable, RegisteredClient>

const add =
  (
    settings: Pick<DocumentSettings, 'policy'>,
    ports: ApproveDocumentPorts,
    client: RegisteredClient,
    actor: AuditActor,
  ): Approved<RegistryFull | ClientChanged> =>
  async () => {
    const row = rowOfDocument(ports, actor, 'client_registered', ports.now(), client)
    const added = await ports.addClient(client, O.none, limitsOf(settings), undefined, row)()
    if (E.isRight(added)) return E.right(client)
    const { left } = added
    // Without a token and a fingerprint, only the id can be taken: another end-user has consented.
    return E.left(left.error === 'registry_full' || left.error === 'unavailable' ? left : clientChanged)
  }

const replace =
  (
    ports: ApproveDocumentPorts,
    { metadata }: RegisteredClient,
    stored: RegisteredClient,
    actor: AuditActor,
  ): Approved<ClientChanged> =>
  async () => {
    const next = withDocument(stored, metadata)
    const row = rowOfDocument(ports, actor, 'client_updated', ports.now(), next, stored)
    const replaced = await ports.replaceClient(next, stored, row)()
    return E.isLeft(replaced) ? replaced : E.right(next)
  }

/** Stores the client with the metadata to which the end-user consented, also while others consent to it. */
export const approveDocument =
  (
    settings: Pick<DocumentSettings, 'policy'>,
    ports: ApproveDocumentPorts,
  ): ((client: RegisteredClient, sub: Subject) => Approved<RegistryFull | TooManyRequests>) =>
  (client, sub) => {
    const actor = actorOfEndUser(ports.hashToken, sub)
    const approve: Approved<RegistryFull | TooManyRequests | ClientChanged> = async () => {
      const found = await ports.findClient(client.client_id)()
      if (E.isLeft(found)) return found
      const stored = O.toUndefined(found.right)
      if (stored !== undefined && isSameMetadata(stored.metadata, client.metadata)) return E.right(stored)
      const consumed = await consumeForDocument(ports, sourceNamed('end-user', sub))()
      if (E.isLeft(consumed)) return consumed
      return stored === undefined ? add(settings, ports, client, actor)() : replace(ports, client, stored, actor)()
    }
    return serializeOnConflict(ports, `client ${client.client_id}`)(approve)
  }

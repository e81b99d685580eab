// What an operator does with the client_secrets of a client: adds a second one, sees when each was made and last used, and drops
// the one before, or lets it end. docs/use/register.md.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { actorOfOperator } from '../audit/entries.js'
import type { ForOperator, HashText, TokenHash } from '../authorization/credential.js'
import type { ClientId } from '../client/ids.js'
import type { ClientSecretConflict, InvalidRequest, UnknownClient } from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import type { Answer, Clock, CredentialGenerator, Hashing, Turns } from '../ports/outside.js'
import type { ClientRegistry, SecretUses } from '../ports/store.js'
import {
  type ClientSecret,
  type DescribedSecret,
  describeSecrets,
  precedingEnded,
  readEnd,
  readPrecedingEnd,
  secretAdded,
} from '../registration/client-secrets.js'
import type { RegistrationSettings } from '../registration/decide.js'
import { type RegisteredClient, withSecrets } from '../registration/registered-client.js'
import { type AuditPorts, type OperatorRequest, type WithBody, auditedClient } from './audit.js'
import { type NamedVersion, type UnknownVersion, findForOperator, findVersion } from './caller.js'
import type { ChangedState } from './change.js'
import { changeClient } from './conflicts.js'

/** By which a store knows a secret that was used. */
export const secretDigest = (hash: HashText, client_secret: string): TokenHash => hash(`client_secret ${client_secret}`)

type ListedSecrets = { readonly client_id: ClientId; readonly secrets: ReadonlyArray<DescribedSecret> }

type ReadingPorts = ClientRegistry & SecretUses & Clock & Hashing

const described =
  (ports: ReadingPorts) =>
  (client: RegisteredClient): Answer<ListedSecrets> =>
    pipe(
      ports.findSecretUses(client),
      TE.map((uses) => ({
        client_id: client.client_id,
        secrets: describeSecrets(client, ports.now(), (secret) => uses.get(secretDigest(ports.hashToken, secret))),
      })),
    )

/** The secrets that count, the newest first, without their values. */
export const listClientSecrets =
  (ports: ReadingPorts): ForOperator<'clients:read', (id: string) => Answer<ListedSecrets, UnknownClient>> =>
  () =>
  (id) =>
    pipe(findForOperator(ports, id), TE.flatMap(described(ports)))

/** The one answer that has the new secret, beside those of the registration itself. */
type AddedSecret = ClientSecret & { readonly client_id: ClientId; readonly preceding_ends_at?: EpochSeconds }

type ChangePorts = ClientRegistry & CredentialGenerator & AuditPorts & Turns

export const addClientSecret =
  (
    settings: Pick<RegistrationSettings, 'credentials'>,
    ports: ChangePorts,
  ): ((
    request: OperatorRequest<'clients:write' | 'clients:secrets'> & NamedVersion & WithBody,
  ) => Answer<AddedSecret, UnknownVersion | InvalidRequest | ClientSecretConflict>) =>
  (request) =>
    changeClient<UnknownVersion | InvalidRequest | ClientSecretConflict, AddedSecret>(
      ports,
      request.clientId,
      async () => {
        const issued = ports.issue()
        const { at } = issued
        const end = E.flatMap(readPrecedingEnd(at))(request.body)
        if (E.isLeft(end)) return end
        const found = await findVersion(ports, request)()
        if (E.isLeft(found)) return found
        const replacing = found.right
        const added = secretAdded(settings.credentials, issued, replacing, end.right)
        if (E.isLeft(added)) return added
        const next = withSecrets(replacing, added.right)
        const entry = { at, action: 'client_secret_added', actor: actorOfOperator(request.operator) } as const
        const audit = auditedClient(ports, request, entry, next, replacing)
        const { client_id } = next
        const preceding = next.preceding_secret?.ends_at ?? 0
        return E.right({
          answer: {
            client_id,
            ...added.right.secret,
            ...(preceding === 0 ? {} : { preceding_ends_at: preceding }),
          },
          change: { next, replacing, audit },
        })
      },
    )

type EndRequest = OperatorRequest<'clients:write'> & NamedVersion

const endPreceding = (
  ports: ClientRegistry & Clock & AuditPorts & Turns,
  request: EndRequest,
  endOf: (at: EpochSeconds) => E.Either<InvalidRequest, EpochSeconds | undefined>,
): Answer<ChangedState, UnknownVersion | InvalidRequest | ClientSecretConflict> =>
  changeClient<UnknownVersion | InvalidRequest | ClientSecretConflict, ChangedState>(
    ports,
    request.clientId,
    async () => {
      const at = ports.now()
      const end = endOf(at)
      if (E.isLeft(end)) return end
      const found = await findVersion(ports, request)()
      if (E.isLeft(found)) return found
      const replacing = found.right
      const { client_id } = replacing
      const ended = precedingEnded(replacing, at, end.right)
      if (E.isLeft(ended)) return ended
      if (ended.right === undefined) return E.right({ answer: { client_id, unchanged: true }, confirms: true })
      const next = withSecrets(replacing, ended.right)
      const entry = { at, action: 'client_secret_ended', actor: actorOfOperator(request.operator) } as const
      const audit = auditedClient(ports, request, entry, next, replacing)
      return E.right({ answer: { client_id, unchanged: false }, change: { next, replacing, audit } })
    },
  )

/** The preceding secret authenticates nobody from then on. Succeeds, and changes nothing, where it was dropped before. */
export const dropPrecedingSecret =
  (ports: ClientRegistry & Clock & AuditPorts & Turns) =>
  (request: EndRequest): Answer<ChangedState, UnknownVersion | InvalidRequest | ClientSecretConflict> =>
    endPreceding(ports, request, () => E.right(undefined))

/** The preceding secret ends at the time that the body names. */
export const endPrecedingSecret =
  (ports: ClientRegistry & Clock & AuditPorts & Turns) =>
  (request: EndRequest & WithBody): Answer<ChangedState, UnknownVersion | InvalidRequest | ClientSecretConflict> =>
    endPreceding(ports, request, (at) => E.flatMap(readEnd(at))(request.body))

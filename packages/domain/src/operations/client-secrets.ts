// What an operator does with the client_secrets of a client: adds a second one, sees when each was made and last used, and drops
// the one before, or lets it end. docs/use/register.md.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
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
import type { AuditPorts, OperatorRequest, WithBody } from './audit.js'
import { type NamedVersion, type UnknownVersion, findForOperator } from './caller.js'
import { type ChangeRequest, type ChangedState, changeVersion } from './change.js'

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

type SecretRefusal = UnknownVersion | InvalidRequest | ClientSecretConflict

export const addClientSecret =
  (
    settings: Pick<RegistrationSettings, 'credentials'>,
    ports: ClientRegistry & CredentialGenerator & AuditPorts & Turns,
  ): ((
    request: OperatorRequest<'clients:write' | 'clients:secrets'> & NamedVersion & WithBody,
  ) => Answer<AddedSecret, SecretRefusal>) =>
  (request) => {
    const end = E.flatMap(readPrecedingEnd(ports.now()))(request.body)
    if (E.isLeft(end)) return TE.left(end.left)
    return changeVersion<ClientSecretConflict, AddedSecret>(ports, request, 'client_secret_added', (client) => {
      const issued = ports.issue()
      const added = secretAdded(settings.credentials, issued, client, end.right)
      if (E.isLeft(added)) return added
      const next = withSecrets(client, added.right)
      const { client_id } = next
      const preceding = next.preceding_secret?.ends_at ?? 0
      const ends = preceding === 0 ? {} : { preceding_ends_at: preceding }
      return E.right({ at: issued.at, next, answer: { client_id, ...added.right.secret, ...ends } })
    })
  }

type EndingPorts = ClientRegistry & Clock & AuditPorts & Turns

const endPreceding = (
  ports: EndingPorts,
  request: ChangeRequest,
  end: E.Either<InvalidRequest, EpochSeconds | undefined>,
): Answer<ChangedState, SecretRefusal> => {
  if (E.isLeft(end)) return TE.left(end.left)
  return changeVersion<ClientSecretConflict, ChangedState>(ports, request, 'client_secret_ended', (client) => {
    const at = ports.now()
    const { client_id } = client
    const ended = precedingEnded(client, at, end.right)
    if (E.isLeft(ended)) return ended
    return ended.right === undefined
      ? E.right({ at, answer: { client_id, unchanged: true } })
      : E.right({ at, next: withSecrets(client, ended.right), answer: { client_id, unchanged: false } })
  })
}

/** The preceding secret authenticates nobody from then on. Succeeds, and changes nothing, where it was dropped before. */
export const dropPrecedingSecret =
  (ports: EndingPorts) =>
  (request: ChangeRequest): Answer<ChangedState, SecretRefusal> =>
    endPreceding(ports, request, E.right(undefined))

/** The preceding secret ends at the time that the body names. */
export const endPrecedingSecret =
  (ports: EndingPorts) =>
  (request: ChangeRequest & WithBody): Answer<ChangedState, SecretRefusal> =>
    endPreceding(ports, request, E.flatMap(readEnd(ports.now()))(request.body))

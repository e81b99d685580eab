// What the authorization server asks: the client of a client_id, its authentication, and attempts to sign in.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type AuditActor, type AuditEntry, type AuditRow, actorOfEndUser, serviceActor } from '../audit/entries.js'
import { type ClientIdUrl, clientIdUrl } from '../client/ids.js'
import { uriParts } from '../client/uris.js'
import { type Source, sourceNamed } from '../kernel/budgets.js'
import { isSameJson } from '../kernel/json-object.js'
import {
  type RegistryFull,
  type TooManyRequests,
  type Unavailable,
  anyFault as fault,
  tooManyRequests,
} from '../kernel/refusals.js'
import { epochSeconds, secondsAfter } from '../kernel/time.js'
import { withdrawalOf } from '../life-cycle/states.js'
import type { Subject } from '../logout/sessions.js'
import { documentPolicy } from '../policy/policy.js'
import type {
  Answer,
  BudgetConsumption,
  ClientDocuments,
  Clock,
  CredentialGenerator,
  Hashing,
  SecretUse,
  SeenDocuments,
  Turns,
} from '../ports/outside.js'
import { type Artefacts, type ClientChanged, type ClientRegistry, clientChanged } from '../ports/store.js'
import {
  type ApprovedDocument,
  type DecidedDocument,
  type DocumentRefused,
  type DocumentSuspended,
  type KnownClient,
  type decideDocument,
  documentRefused,
  documentSuspended,
  storedDocument,
  withDocument,
} from '../provider/decide-document.js'
import { type DocumentSettings, acceptsUrl, documentPrivileges, documentWaits } from '../provider/documents.js'
import { type SeenDocument, documentIn } from '../provider/seen-documents.js'
import { secretsInForce } from '../registration/client-secrets.js'
import { type RegisteredClient, pendingClient } from '../registration/registered-client.js'
import {
  type InvalidClient,
  type PresentedMethod,
  type UnapprovedClient,
  decideClientAuthentication,
} from '../registration/client-authentication.js'
import { type AuditPorts, type WithOrigin, auditedClient } from './audit.js'
import { findClient } from './caller.js'
import { changeClient } from './conflicts.js'
import { spentOnce } from './read-body.js'
import { limitsOf } from './register.js'

// draft-ietf-oauth-client-id-metadata-document-02 §5, §8.4: an end-user consents to a client with its document; docs/decisions/documents-of-clients.md.

/** The origin of a change that this service makes by itself. */
type OwnChanges = AuditPorts & { readonly changeOrigin: () => WithOrigin }

type ApproveDocumentPorts = ClientRegistry & Clock & Hashing & OwnChanges & BudgetConsumption & Turns

/** Before what nobody vouches for is stored: docs/operate/security.md#abuse. */
const consumeForDocument = (
  { consumeBudget }: BudgetConsumption,
  source: Source,
): TE.TaskEither<TooManyRequests, void> =>
  pipe(consumeBudget('documents', source), TE.mapLeft(tooManyRequests('documents')))

/** Of a client that is stored because of its document. */
const rowOfDocument = (
  ports: OwnChanges,
  actor: AuditActor,
  action: Extract<AuditEntry['action'], 'client_registered' | 'client_updated'>,
  at: AuditEntry['at'],
  next: RegisteredClient,
  before?: RegisteredClient,
): AuditRow | undefined => auditedClient(ports, ports.changeOrigin(), { at, action, actor }, next, before)

type Approved<Refusal> = Answer<RegisteredClient, Refusal>

const add =
  (
    settings: Pick<DocumentSettings, 'policy'>,
    ports: ClientRegistry & Clock & OwnChanges,
    client: RegisteredClient,
    actor: AuditActor,
  ): Approved<RegistryFull | ClientChanged> =>
  async () => {
    const audit = rowOfDocument(ports, actor, 'client_registered', ports.now(), client)
    const added = await ports.addClient({
      client,
      consumedToken: O.none,
      limits: limitsOf(settings),
      fingerprint: undefined,
      keyed: undefined,
      audit,
    })()
    if (E.isRight(added)) return E.right(client)
    const { left } = added
    // Without a token and a fingerprint, only the id can be taken: another end-user has consented.
    return E.left(left.error === 'registry_full' || left.error === 'unavailable' ? left : clientChanged)
  }

/** Stores the client with the metadata to which the end-user consented, also while others consent to it. */
export const approveDocument =
  (
    settings: Pick<DocumentSettings, 'policy'>,
    ports: ApproveDocumentPorts,
  ): ((client: RegisteredClient, sub: Subject) => Approved<RegistryFull | TooManyRequests>) =>
  (client, sub) => {
    const actor = actorOfEndUser(ports.hashToken, sub)
    const once = spentOnce(ports)
    return changeClient<RegistryFull | TooManyRequests, RegisteredClient>(ports, client.client_id, async () => {
      const found = await ports.findClient(client.client_id)()
      if (E.isLeft(found)) return found
      const stored = O.toUndefined(found.right)
      if (stored !== undefined && isSameJson(stored.metadata, client.metadata)) return E.right({ answer: stored })
      const consumed = await consumeForDocument(once, sourceNamed('end-user', sub))()
      if (E.isLeft(consumed)) return consumed
      if (stored === undefined)
        return E.map((answer: RegisteredClient) => ({ answer, confirms: false }))(
          await add(settings, ports, client, actor)(),
        )
      const next = withDocument(stored, client.metadata)
      const audit = rowOfDocument(ports, actor, 'client_updated', ports.now(), next, stored)
      return E.right({ answer: next, change: { next, replacing: stored, audit } })
    })
  }

// The client of a client_id, at the doors of the authorization server: RFC 6749 §2.2 and
// draft-ietf-oauth-client-id-metadata-document-02 §5; docs/decisions/documents-of-clients.md.

type ResolveClientPorts = ClientRegistry &
  ClientDocuments &
  SeenDocuments &
  OwnChanges &
  BudgetConsumption &
  Clock &
  CredentialGenerator & {
    /** decideDocument by the present settings; an adapter may remember its answers. */
    readonly decideDocument: ReturnType<typeof decideDocument>
  }

export type ResolveClientError = DocumentRefused | DocumentSuspended | Unavailable

/** None where no client has the id. */
type Resolved = TE.TaskEither<ResolveClientError, O.Option<KnownClient>>

const registered = (client: RegisteredClient): O.Option<KnownClient> => O.some({ kind: 'registered', client })

const documented = (client: RegisteredClient, approved: RegisteredClient | undefined): O.Option<KnownClient> =>
  O.some({ kind: 'documented', client, approved })

/** With the privileges by the present policy: those of its first consent may be others. */
const byPresentPolicy = (settings: DocumentSettings, url: ClientIdUrl, known: KnownClient): KnownClient => {
  const privileges = documentPrivileges(settings, url)
  const client = { ...known.client, privileges }
  if (known.kind === 'registered') return { kind: 'registered', client }
  return { kind: 'documented', client, approved: known.approved && { ...known.approved, privileges } }
}

// The time that is not recorded any more is too long ago.
const lastSeen = (
  { findLastSeen }: ResolveClientPorts,
  url: ClientIdUrl,
  seen: SeenDocument,
): Answer<ApprovedDocument['seen_at']> =>
  documentIn(seen).kind === 'found'
    ? TE.right(seen.at)
    : pipe(findLastSeen(url), TE.map(O.getOrElse(() => epochSeconds(0))))

// A change for which no end-user is asked: the metadata is stored, so that all parties have the same. Where another instance
// stored another version at the same time, the store cannot write, or the document changes too often, this request goes on
// with what was approved.
const follow = async (
  ports: ResolveClientPorts,
  client: RegisteredClient,
  { client: document }: DecidedDocument,
): Promise<RegisteredClient> => {
  if (isSameJson(client.metadata, document.metadata)) return client
  const next = withDocument(client, document.metadata)
  const consumed = await consumeForDocument(ports, sourceNamed('document', client.client_id))()
  if (E.isLeft(consumed)) return client
  const audit = rowOfDocument(ports, serviceActor, 'client_updated', ports.now(), next, client)
  return E.isRight(await ports.replaceClient({ next, replacing: client, audit })()) ? next : client
}

// An instance that has an earlier document in memory would undo what another one has stored of a later document.
const seeForStored =
  (
    { seeDocument, findLastSeen, decideDocument }: ResolveClientPorts,
    url: ClientIdUrl,
    { metadata }: RegisteredClient,
  ): Answer<SeenDocument> =>
  async () => {
    const seen = await seeDocument(url)()
    const decided = decideDocument(url, seen, { metadata, seen_at: seen.at })
    if (documentIn(seen).kind === 'none' || (E.isRight(decided) && decided.right.drift.length === 0))
      return E.right(seen)
    const last = await findLastSeen(url)()
    if (E.isLeft(last)) return last
    const isEarlier = O.isSome(last.right) && last.right.value > seen.at
    return E.right(isEarlier ? await seeDocument(url, last.right.value)() : seen)
  }

const resolveStored =
  (ports: ResolveClientPorts, url: ClientIdUrl, client: RegisteredClient): Resolved =>
  async () => {
    const found = await seeForStored(ports, url, client)()
    if (E.isLeft(found)) return found
    const seen = found.right
    const seen_at = await lastSeen(ports, url, seen)()
    if (E.isLeft(seen_at)) return seen_at
    const decided = ports.decideDocument(url, seen, { metadata: client.metadata, seen_at: seen_at.right })
    if (E.isLeft(decided)) return E.left(documentRefused(decided.left))
    if (documentIn(seen).kind === 'found') await ports.recordSeen(client, seen)()
    switch (decided.right.action) {
      case 'suspend':
        return E.left(documentSuspended)
      case 'ask':
        return E.right(documented(withDocument(client, decided.right.client.metadata), client))
      case 'go_on':
        return E.right(registered(await follow(ports, client, decided.right)))
    }
  }

// It is stored before an end-user has read it, so that an operator finds it, as an unused client of open registration: within
// the same bounds, and not from the budget of what end-users consent to. One that finds no room waits as well, and is stored
// by a later request.
const resolvePending =
  (settings: DocumentSettings, ports: ResolveClientPorts, document: RegisteredClient): Resolved =>
  async () => {
    const client = pendingClient(document)
    const consumed = await ports.consumeBudget(
      'registrations',
      sourceNamed('document', uriParts(client.client_id).host),
    )()
    if (E.isRight(consumed)) {
      const added = await add(settings, ports, client, serviceActor)()
      if (E.isLeft(added) && added.left.error === 'unavailable') return E.left(added.left)
    }
    return E.right(registered(client))
  }

const resolveNew = (
  settings: DocumentSettings,
  ports: ResolveClientPorts,
  url: ClientIdUrl,
  seen: SeenDocument,
): Resolved => {
  const decided = ports.decideDocument(url, seen)
  if (E.isLeft(decided)) return TE.left(documentRefused(decided.left))
  const client = storedDocument(decided.right.client, ports.issue(), documentPrivileges(settings, url))
  return documentWaits(settings.policy, url)
    ? resolvePending(settings, ports, client)
    : TE.right(documented(client, undefined))
}

const resolveUrl =
  (settings: DocumentSettings, ports: ResolveClientPorts, url: ClientIdUrl): Resolved =>
  async () => {
    const found = await ports.findClient(url)()
    if (E.isLeft(found)) return found
    const client = O.toUndefined(found.right)
    if (client !== undefined && withdrawalOf(client) !== undefined) return E.right(registered(client))
    return client === undefined
      ? resolveNew(settings, ports, url, await ports.seeDocument(url)())()
      : pipe(resolveStored(ports, url, client), TE.map(O.map((known) => byPresentPolicy(settings, url, known))))()
  }

/**
 * Finds the client of a client_id. A URL is requested only where the policy accepts its document, and is no client where
 * the policy accepts none.
 */
export const resolveClient = (
  settings: DocumentSettings,
  ports: ResolveClientPorts,
): ((clientId: string) => Resolved) => {
  const policy = documentPolicy(settings.policy.metadata_documents)
  return (clientId) => {
    const read = clientIdUrl(clientId)
    if (read.kind === 'opaque') return pipe(findClient(ports, clientId), TE.map(O.flatMap(registered)))
    if (policy.accept === 'none') return TE.right(O.none)
    if (read.kind === 'faulty') return TE.left(documentRefused(read.faults))
    return acceptsUrl(policy, read.url)
      ? resolveUrl(settings, ports, read.url)
      : TE.left(documentRefused([fault('document-not-accepted')('client_id')]))
  }
}

/** RFC 6749 §2.3.1: the client and the secret of a request to the provider. */
export type AuthenticateClientRequest = {
  readonly clientId: string
  readonly method: PresentedMethod
  readonly secret?: string
}

/** The client that the request authenticates. Secrets are compared by their digests. */
export const authenticateClient =
  (ports: ClientRegistry & Clock & Hashing & SecretUse) =>
  ({
    clientId,
    method,
    secret = '',
  }: AuthenticateClientRequest): Answer<RegisteredClient, InvalidClient | UnapprovedClient> => {
    const presented = ports.hashToken(secret)
    const presents = (own: string): boolean => ports.hashToken(own) === presented
    const at = ports.now()
    return pipe(
      findClient(ports, clientId),
      TE.flatMapEither((client) => decideClientAuthentication(at)({ client, method, presents })),
      TE.tapIO((client) => () => {
        const used = method === 'none' ? undefined : secretsInForce(client, at).find(presents)
        if (used !== undefined) ports.useSecret(client, used)
      }),
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
    const stored = await ports.storeArtefact(artefact, at, { kind: 'replay', hash, at })()
    if (E.isRight(stored)) return E.right(true)
    if (stored.left.error === 'already_consumed') return E.right(false)
    return E.left(stored.left.error === 'unavailable' ? stored.left : { error: 'unavailable', detail: stored.left })
  }

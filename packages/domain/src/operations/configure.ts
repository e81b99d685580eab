// Reading and updating a client: RFC 7592 §2.1 and §2.2.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { actorOf } from '../audit/entries.js'
import {
  type PresentedCredential,
  holds,
  permitsDelegation,
  requesterOf,
  isOperators,
} from '../authorization/credential.js'
import { isDocumented } from '../client/ids.js'
import type { RefusedMetadata } from '../client/metadata.js'
import type { ReadStatement } from '../client/statement.js'
import {
  type InvalidRequest,
  type PreconditionFailed,
  type PreconditionRequired,
  type TooManyRequests,
  describedByDocument,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import { needsApproval } from '../policy/policy.js'
import type { Answer, BudgetConsumption, CredentialGenerator, SectorIdentifiers, Turns } from '../ports/outside.js'
import type { ClientRegistry } from '../ports/store.js'
import { type RegistrationSettings, ruleBook } from '../registration/decide.js'
import {
  type ClientDescription,
  type ClientInformation,
  type ClientPreview,
  clientDescription,
  clientInformation,
  clientWithCredentials,
  previewOfUpdate,
  warningsOf,
} from '../registration/information.js'
import { permitEntry, permitRegistrationScope, permitUpdate } from '../registration/permit.js'
import {
  type GeneratedCredentials,
  type IfMatch,
  type RegisteredClient,
  type Representation,
  checkPrecondition,
  endsPrecedingToken,
  hasExpiredSecret,
  representing,
  secretLengthAfterUpdate,
  pendingAfterUpdate,
  updatedClient,
  withGeneratedSecret,
  withoutPrecedingToken,
} from '../registration/registered-client.js'
import {
  type ConfigurationRefusal,
  authorizeConfiguration,
  boundsOfUpdate,
  decodeUpdateRequest,
} from '../registration/configuration.js'
import {
  type AuditPorts,
  type AuditWriting,
  type WithBody,
  type WithOrigin,
  auditedBy,
  auditedClient,
  writeAuditedIfPossible,
} from './audit.js'
import { type Caller, type CallerOfClient, authorizedCredential, findNamedClient } from './caller.js'
import { changeClient } from './conflicts.js'
import {
  type SentBodyPorts,
  checkSectorIdentifier,
  consumeForRegistrant,
  fetchedOnce,
  readSentBody,
  spentOnce,
} from './read-body.js'

/** RFC 7592 §2.1 */
type ReadClientRequest = WithOrigin & {
  readonly caller: CallerOfClient<'read'>
  /** RFC 9110 §9.2.1: a safe request whose answer cannot show a secret, such as HEAD, renews no expired secret. */
  readonly isSafe?: boolean
  /** The address of the requester, if known. */
  readonly remoteAddress?: string | undefined
}

type ReadClientPorts = ClientRegistry & CredentialGenerator & AuditWriting & BudgetConsumption & Turns

/** The client that its own token has found; an operator's is to be found yet. */
const ownClient = (caller: Caller<never, RegisteredClient>): O.Option<RegisteredClient> =>
  caller.by === 'token' ? O.some(caller.own) : O.none

type ReadFacts = Pick<ReadClientRequest, 'isSafe'> & {
  readonly credential: PresentedCredential
  readonly found: O.Option<RegisteredClient>
  readonly at: EpochSeconds
}

/** The client, whether its secret is renewed before it is returned, and what the store has, if the read changes it. */
type DecidedRead = {
  readonly client: RegisteredClient
  readonly renewsSecret: boolean
  readonly replacing: RegisteredClient | undefined
}

/** The first read with the newest registration access token ends the one before it. */
export const decideRead = ({
  credential,
  found,
  at,
  isSafe = false,
}: ReadFacts): E.Either<ConfigurationRefusal, DecidedRead> =>
  pipe(
    authorizeConfiguration(credential, found, at),
    E.map(({ client }) => {
      const endsPreceding = endsPrecedingToken(credential, client)
      const renewsSecret = !isSafe && hasExpiredSecret(client, at)
      return {
        client: endsPreceding ? withoutPrecedingToken(client) : client,
        renewsSecret,
        replacing: endsPreceding || renewsSecret ? client : undefined,
      }
    }),
  )

/** Of concurrent reads of an expired secret one renews it, and the others return the stored result. */
export const readClient = (
  settings: RegistrationSettings,
  ports: ReadClientPorts,
): ((
  request: ReadClientRequest,
) => Answer<Representation<ClientDescription>, ConfigurationRefusal | TooManyRequests>) => {
  const find = findNamedClient(ports)
  const informationOf = representing(clientWithCredentials(settings.registrationEndpoint))
  const descriptionOf = representing(clientDescription(settings.registrationEndpoint))
  return (request) => async () => {
    const { caller } = request
    const authorized = authorizedCredential(caller)
    if (E.isLeft(authorized)) return authorized
    const credential = authorized.right
    const operator = caller.by === 'operator' ? O.toUndefined(O.fromEither(caller.operator)) : undefined
    const { clientId } = caller
    const showsCredentials = operator === undefined || holds(operator, 'clients:secrets')
    const isSafe = request.isSafe === true || !showsCredentials
    const reader = isSafe ? undefined : operator
    const shown = showsCredentials ? informationOf : descriptionOf
    const consume = consumeForRegistrant(spentOnce(ports))
    return changeClient<ConfigurationRefusal | TooManyRequests, Representation<ClientDescription>>(
      ports,
      clientId,
      async (isFirst) => {
        const known = isFirst ? ownClient(caller) : O.none
        const found = O.isSome(known) ? E.right(known) : await find({ credential, clientId })()
        if (E.isLeft(found)) return found
        const at = ports.now()
        const decided = decideRead({ credential, isSafe, found: found.right, at })
        if (E.isLeft(decided)) return decided
        const { client, renewsSecret, replacing } = decided.right
        if (replacing === undefined) {
          if (reader !== undefined) {
            // Before an operator sees the credentials, there is an audit row, unless the store cannot write now.
            const { client_id } = client
            const row = auditedBy(ports, reader, request)(at, 'client_credentials_read', { client_id })
            await writeAuditedIfPossible(ports, row)()
          }
          return E.right({ answer: shown(client) })
        }
        if (!renewsSecret) {
          // The end of the preceding token has no row: it changes nothing that a client or an operator set. While the store
          // cannot write, reads go on: a later read ends that token, or its grace does.
          const ended = await ports.replaceClient({ next: client, replacing, audit: undefined })()
          return E.isLeft(ended) && ended.left.error !== 'unavailable' ? ended : E.right({ answer: shown(client) })
        }
        const consumed = await consume(credential, client, request.remoteAddress)()
        if (E.isLeft(consumed)) return consumed
        const next = withGeneratedSecret(settings.credentials, ports.issue())(client)
        const entry = { at, action: 'client_renewed', actor: actorOf(credential, 'registration_access_token') } as const
        const audit = auditedClient(ports, request, entry, next, replacing)
        return E.right({ answer: shown(next), change: { next, replacing, audit } })
      },
    )()
  }
}

/** RFC 7592 §2.2 */
type UpdateClientRequest = WithOrigin &
  WithBody & {
    readonly caller: CallerOfClient<'update'>
    readonly ifMatch?: IfMatch
    /** The address of the requester, if known. */
    readonly remoteAddress?: string | undefined
  }

export type UpdateRefusal =
  ConfigurationRefusal | InvalidRequest | RefusedMetadata | PreconditionFailed | PreconditionRequired

type UpdateClientPorts = ClientRegistry &
  SentBodyPorts &
  SectorIdentifiers &
  CredentialGenerator &
  AuditPorts &
  BudgetConsumption &
  Turns

export type UpdateFacts = WithBody & {
  readonly credential: PresentedCredential
  readonly found: O.Option<RegisteredClient>
  readonly statement: O.Option<ReadStatement>
  readonly ifMatch?: IfMatch
  readonly issued: GeneratedCredentials
}

export type DecidedUpdate = { readonly next: RegisteredClient; readonly replacing: RegisteredClient }

/**
 * Is the credential authorized (401, 403, 404)? Is the client in the version of the request (412, 428)? Is the request
 * well-formed (400)? Is it permitted (403)? Then it results in this client.
 */
export const decideUpdate = (
  settings: RegistrationSettings,
): ((facts: UpdateFacts) => E.Either<UpdateRefusal, DecidedUpdate>) => {
  const book = ruleBook(settings)
  const bounds = boundsOfUpdate(settings)
  const { credentials, requiresIfMatch = false } = settings
  return ({ credential, found, body, statement, issued, ifMatch }) => {
    const authorized = authorizeConfiguration(credential, found, issued.at)
    if (E.isLeft(authorized)) return authorized
    const { client } = authorized.right
    if (isDocumented(client)) return E.left(describedByDocument)
    // RFC 9110 §13.2.1: before the content is judged
    const precondition = checkPrecondition(requiresIfMatch, ifMatch)(client)
    if (E.isLeft(precondition)) return precondition
    if (E.isLeft(body)) return body
    const { addable, ceiling } = bounds(credential, authorized.right)
    const secretLength = secretLengthAfterUpdate(credentials, issued)(client)
    const requested = decodeUpdateRequest(book, client)({ body: body.right, statement, secretLength })
    if (E.isLeft(requested)) return requested
    const entries = isOperators(credential) ? undefined : settings.policy.clients
    const waits = !isOperators(credential) && needsApproval(settings.policy, client.registered_by)
    return pipe(
      permitUpdate(addable, ceiling, client.metadata)(requested.right),
      E.flatMap(permitEntry(entries, client.client_id)),
      E.flatMap(permitRegistrationScope(permitsDelegation(credential), client.metadata)),
      E.map((allowed) => ({
        next: pendingAfterUpdate(
          issued.at,
          waits,
          client,
        )(updatedClient(credentials, issued, credential)(client)(allowed)),
        replacing: client,
      })),
    )
  }
}

/** With the body as JSON. */
type DecidedBody = DecidedUpdate & { readonly sent: unknown }

const decide = (
  settings: RegistrationSettings,
  ports: UpdateClientPorts,
): ((
  credential: PresentedCredential,
  known: O.Option<RegisteredClient>,
  request: UpdateClientRequest,
  once: SectorIdentifiers & BudgetConsumption,
) => Answer<DecidedBody, UpdateRefusal | TooManyRequests>) => {
  const decideFacts = decideUpdate(settings)
  const readBody = readSentBody(settings, ports)
  const find = findNamedClient(ports)
  return (credential, known, { caller: { clientId }, body, remoteAddress, ifMatch }, once) =>
    async () => {
      const found = O.isSome(known) ? E.right(known) : await find({ credential, clientId })()
      if (E.isLeft(found)) return found
      // RFC 7592 §2.2: a statement of a stranger is not verified.
      const authorized = authorizeConfiguration(credential, found.right, ports.now())
      if (E.isLeft(authorized)) return authorized
      const { registered_by, metadata } = authorized.right.client
      const consumed = await consumeForRegistrant(once)(credential, authorized.right.client, remoteAddress)()
      if (E.isLeft(consumed)) return consumed
      const requester = requesterOf(credential, registered_by, remoteAddress)
      const sent = await readBody({ body, at: ports.now(), requester, registered: metadata.software_id })()
      if (E.isLeft(sent)) return sent
      const facts = { credential, found: found.right, ifMatch, ...sent.right }
      const decided = decideFacts({ ...facts, issued: ports.issue() })
      if (E.isLeft(decided)) return decided
      const { next, replacing } = decided.right
      const sector = await checkSectorIdentifier(once)(next.metadata, requester)()
      return E.isLeft(sector) ? sector : E.right({ next, replacing, sent: E.toUnion(sent.right.body) })
    }
}

export const updateClient = (
  settings: RegistrationSettings,
  ports: UpdateClientPorts,
): ((request: UpdateClientRequest) => Answer<Representation<ClientInformation>, UpdateRefusal | TooManyRequests>) => {
  const decideRequest = decide(settings, ports)
  const represent = representing(clientInformation(settings.registrationEndpoint))
  return (request) => async () => {
    const { caller } = request
    const authorized = authorizedCredential(caller)
    if (E.isLeft(authorized)) return authorized
    const credential = authorized.right
    const once = { ...fetchedOnce(ports), ...spentOnce(ports) }
    const actor = actorOf(credential, 'registration_access_token')
    return changeClient<UpdateRefusal | TooManyRequests, Representation<ClientInformation>>(
      ports,
      caller.clientId,
      async (isFirst) => {
        const known = isFirst ? ownClient(caller) : O.none
        const decided = await decideRequest(credential, known, request, once)()
        if (E.isLeft(decided)) return decided
        const { next, replacing } = decided.right
        const audit = auditedClient(
          ports,
          request,
          { at: ports.now(), action: 'client_updated', actor },
          next,
          replacing,
        )
        return E.right({ answer: represent(next), change: { next, replacing, audit } })
      },
    )()
  }
}

/** Makes the same decision without updating: nothing is renewed or stored. */
export const previewUpdate = (
  settings: RegistrationSettings,
  ports: UpdateClientPorts,
): ((request: UpdateClientRequest) => Answer<ClientPreview, UpdateRefusal | TooManyRequests>) => {
  const decideRequest = decide(settings, ports)
  const warnings = warningsOf(settings)
  return (request) => async () => {
    const authorized = authorizedCredential(request.caller)
    if (E.isLeft(authorized)) return authorized
    const decided = await decideRequest(authorized.right, ownClient(request.caller), request, ports)()
    if (E.isLeft(decided)) return decided
    const { next, sent } = decided.right
    const preview = previewOfUpdate(settings.registrationEndpoint, sent, warnings(next.metadata))
    return E.right(preview(next))
  }
}

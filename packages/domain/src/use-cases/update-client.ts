import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isDocumented } from '../client/client-id.js'
import { actorOf } from '../audit/audit-entry.js'
import { changedMembers } from '../audit/changed-members.js'
import { neededPrivileges } from '../authorization/needed-privileges.js'
import { authorizeConfiguration } from '../registration/authorize-configuration.js'
import { boundsOfUpdate } from '../registration/bounds-of-update.js'
import { permitRegistrationScope } from '../registration/permit-registration-scope.js'
import { permitUpdate } from '../registration/permit-registration.js'
import { type PresentedCredential, permitsDelegation, requesterOf } from '../authorization/credential.js'
import {
  type ClientInformation,
  type ClientPreview,
  clientInformation,
  previewOfUpdate,
} from '../registration/client-information.js'
import type { RefusedMetadata } from '../client/metadata-refusal.js'
import {
  type GeneratedCredentials,
  type RegisteredClient,
  secretLengthAfterUpdate,
  updatedClient,
} from '../registration/registered-client.js'
import type { ReadStatement } from '../client/software-statement.js'
import { decodeUpdateRequest } from '../registration/update-request.js'
import * as Refusals from '../errors.js'
import { warningsOf } from '../registration/metadata-warnings.js'
import type { BudgetConsumption } from '../ports/budget-consumption.js'
import type { ClientChanged, ClientRegistry } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { SectorIdentifiers } from '../ports/sector-identifiers.js'
import type { Turns } from '../ports/turns.js'
import { type IfMatch, type Representation, checkPrecondition, representing } from '../registration/entity-tag.js'
import { type RegistrationSettings, ruleBook } from '../registration/registration-settings.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'
import { checkSectorIdentifier, fetchedOnce } from './steps/check-sector-identifier.js'
import { consumeForRegistrant } from './steps/consume-for-registrant.js'
import { type FindNamedPorts, findNamedClient } from './steps/find-named-client.js'
import { type RecognizeOperatorPorts, type RequestOfActor, orAsOperator } from './steps/recognize-operator.js'
import { type SentBodyPorts, readSentBody } from './steps/read-sent-body.js'

/** RFC 7592 §2.2 */
export type UpdateClientRequest = RequestOfActor &
  WithOrigin & {
    readonly clientId: string
    readonly body: E.Either<Refusals.InvalidRequest, unknown>
    readonly ifMatch?: IfMatch
    /** The address of the requester, if known. */
    readonly remoteAddress?: string | undefined
  }

export type UpdateRefusal =
  | Refusals.MissingToken
  | Refusals.InvalidToken
  | Refusals.UnknownClient
  | Refusals.InvalidRequest
  | RefusedMetadata
  | Refusals.InsufficientScope
  | Refusals.PreconditionFailed
  | Refusals.PreconditionRequired

export type UpdateClientError = UpdateRefusal | Refusals.TooManyRequests | Refusals.Unavailable

export type UpdateClientPorts = FindNamedPorts &
  Pick<ClientRegistry, 'replaceClient'> &
  SentBodyPorts &
  SectorIdentifiers &
  Pick<CredentialGenerator, 'issue'> &
  RecognizeOperatorPorts &
  AuditPorts &
  Partial<BudgetConsumption> &
  Turns

export type UpdateFacts = {
  readonly credential: PresentedCredential
  readonly body: E.Either<Refusals.InvalidRequest, unknown>
  readonly found: O.Option<RegisteredClient>
  readonly statement: O.Option<ReadStatement>
  readonly ifMatch?: IfMatch
  readonly issued: GeneratedCredentials
}

export type DecidedUpdate = { readonly next: RegisteredClient; readonly replacing: RegisteredClient }

/**
 * Is the credential authorized (401, 404)? Is the client in the version of the request (412, 428)? Is the request
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
    if (isDocumented(client)) return E.left(Refusals.describedByDocument)
    // RFC 9110 §13.2.1: before the content is judged
    const precondition = checkPrecondition(requiresIfMatch, ifMatch)(client)
    if (E.isLeft(precondition)) return precondition
    if (E.isLeft(body)) return body
    const { addable, ceiling } = bounds(credential, authorized.right)
    const secretLength = secretLengthAfterUpdate(credentials, issued)(client)
    const requested = decodeUpdateRequest(book, client)({ body: body.right, statement, secretLength })
    if (E.isLeft(requested)) return requested
    return pipe(
      permitUpdate(addable, ceiling, client.metadata)(requested.right),
      E.flatMap(permitRegistrationScope(permitsDelegation(credential), client.metadata)),
      E.map((allowed) => ({
        next: updatedClient(credentials, issued, credential)(client)(allowed),
        replacing: client,
      })),
    )
  }
}

/** With the body as JSON. */
type DecidedBody = DecidedUpdate & { readonly sent: unknown }

const decide = (
  settings: RegistrationSettings,
  ports: Omit<UpdateClientPorts, 'replaceClient' | keyof Turns>,
): ((request: UpdateClientRequest, sectors: SectorIdentifiers) => TE.TaskEither<UpdateClientError, DecidedBody>) => {
  const decideFacts = decideUpdate(settings)
  const readBody = readSentBody(settings, ports)
  const consume = consumeForRegistrant(ports)
  return ({ credential, clientId, body, remoteAddress, ifMatch }, sectors) =>
    async () => {
      const found = await findNamedClient(ports)({ credential, clientId })()
      if (E.isLeft(found)) return found
      // RFC 7592 §2.2: a statement of a stranger is not verified.
      const authorized = authorizeConfiguration(credential, found.right, ports.now())
      if (E.isLeft(authorized)) return authorized
      const { registered_by, metadata } = authorized.right.client
      const consumed = await consume(credential, authorized.right.client, remoteAddress)()
      if (E.isLeft(consumed)) return consumed
      const arrival = requesterOf(credential, registered_by, remoteAddress)
      const sent = await readBody({ body, at: ports.now(), requester: arrival, registered: metadata.software_id })()
      if (E.isLeft(sent)) return sent
      const facts = { credential, found: found.right, ifMatch, ...sent.right }
      const decided = decideFacts({ ...facts, issued: ports.issue() })
      if (E.isLeft(decided)) return decided
      const { next, replacing } = decided.right
      const requester = requesterOf(credential, replacing.registered_by, remoteAddress)
      const sector = await checkSectorIdentifier(sectors)(next.metadata, requester)()
      return E.isLeft(sector) ? sector : E.right({ next, replacing, sent: E.toUnion(sent.right.body) })
    }
}

export const updateClient = (
  settings: RegistrationSettings,
  ports: UpdateClientPorts,
): ((request: UpdateClientRequest) => TE.TaskEither<UpdateClientError, Representation<ClientInformation>>) => {
  const decideRequest = decide(settings, ports)
  const represent = representing(clientInformation(settings.registrationEndpoint))
  return orAsOperator(
    ports,
    neededPrivileges['PUT /clients/:id'],
  )((request) => () => {
    const sectors = fetchedOnce(ports)
    const update: TE.TaskEither<UpdateClientError | ClientChanged, Representation<ClientInformation>> = async () => {
      const decided = await decideRequest(request, sectors)()
      if (E.isLeft(decided)) return decided
      const { next, replacing } = decided.right
      const row = audited(ports, request, () => ({
        at: ports.now(),
        action: 'client_updated',
        client_id: next.client_id,
        actor: actorOf(request.credential, 'registration_access_token'),
        members: changedMembers(replacing, next),
      }))
      const replaced = await ports.replaceClient(next, replacing, row)()
      return E.isLeft(replaced) ? replaced : E.right(represent(next))
    }
    return serializeOnConflict(ports, `client ${request.clientId}`)(update)()
  })
}

/** Makes the same decision without updating: nothing is renewed or stored. */
export const previewUpdate = (
  settings: RegistrationSettings,
  ports: Omit<UpdateClientPorts, 'replaceClient' | keyof Turns>,
): ((request: UpdateClientRequest) => TE.TaskEither<UpdateClientError, ClientPreview>) => {
  const decideRequest = decide(settings, ports)
  const warnings = warningsOf(settings)
  return orAsOperator(
    ports,
    neededPrivileges['PUT /clients/:id'],
  )((request) => async () => {
    const decided = await decideRequest(request, ports)()
    if (E.isLeft(decided)) return decided
    const { next, sent } = decided.right
    const preview = previewOfUpdate(settings.registrationEndpoint, sent, warnings(next.metadata))
    return E.right(preview(next))
  })
}

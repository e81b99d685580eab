// What an operator changes at a client.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type AuditAction, actorOfOperator } from '../audit/entries.js'
import { credentialOf, holds } from '../authorization/credential.js'
import { type ClientId, isDocumented } from '../client/ids.js'
import { hasAtMost } from '../client/keys.js'
import { unknownMembers } from '../client/schema.js'
import { reportedFaults } from '../kernel/faults.js'
import { isSameJson } from '../kernel/json-object.js'
import { mergePatch } from '../kernel/json.js'
import {
  type ClientInForce,
  type InvalidRequest,
  type Unavailable,
  clientInForce,
  describedByDocument,
  invalidRequest,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import { type RefusalReason, isSuspended } from '../life-cycle/states.js'
import type {
  Answer,
  Clock,
  CredentialGenerator,
  SectorIdentifiers,
  SoftwareStatements,
  Turns,
} from '../ports/outside.js'
import type { ClientRegistry } from '../ports/store.js'
import type { RegistrationSettings } from '../registration/decide.js'
import {
  type ClientDescription,
  type ClientInformation,
  type ClientPreview,
  type MemberChange,
  type MetadataWarning,
  changesBetween,
  clientDescription,
  clientInformation,
  clientWithCredentials,
  previewOfUpdate,
  warningsOf,
} from '../registration/information.js'
import {
  type IfMatch,
  type RegisteredClient,
  type Representation,
  approvedClient,
  entityTagOf,
  keepingCredentials,
  refusedClient,
  representing,
  resumedClient,
  suspendedClient,
  withGeneratedCredentials,
} from '../registration/registered-client.js'
import {
  type AuditPorts,
  type AuditWriting,
  type OperatorRequest,
  type WithBody,
  auditedBy,
  auditedClient,
  writeAudited,
} from './audit.js'
import { type NamedVersion, type UnknownVersion, findClient, findVersion } from './caller.js'
import { type DecidedUpdate, type UpdateFacts, type UpdateRefusal, decideUpdate } from './configure.js'
import { changeClient } from './conflicts.js'
import { checkSectorIdentifier, fetchedOnce, readStatement } from './read-body.js'

// An operator changes members of a client, which keeps its credentials: docs/use/register.md.

/** RFC 5789; the body is a JSON Merge Patch (RFC 7396) of the metadata of the client. */
type PatchClientRequest = OperatorRequest<'clients:write'> &
  WithBody & { readonly clientId: string; readonly ifMatch?: IfMatch }

type PatchClientPorts = ClientRegistry &
  SoftwareStatements &
  SectorIdentifiers &
  CredentialGenerator &
  AuditWriting &
  Turns

/** A dry run of an update, with what it changes. */
interface PatchPreview extends ClientPreview {
  readonly changes: ReadonlyArray<MemberChange>
}

const maxMetadataBytes = 65_536

const tooLarge = invalidRequest(
  `The metadata would be larger than ${maxMetadataBytes} bytes, which no update can send: remove members with null`,
)

/** The body of the update that the patch makes of the present metadata. */
const patchedBody = (
  found: O.Option<RegisteredClient>,
  patch: UpdateFacts['body'],
): E.Either<InvalidRequest, unknown> =>
  E.map((body: unknown) => (O.isSome(found) ? mergePatch(found.value.metadata, body) : body))(patch)

/**
 * A name that is no member is refused: where nothing is replaced as a whole, nobody sees that it is missing. What is
 * refused anyhow is told with it.
 */
const refuseUnknown =
  ({ body }: UpdateFacts) =>
  (decided: E.Either<UpdateRefusal, DecidedUpdate>): E.Either<UpdateRefusal, DecidedUpdate> => {
    const [first, ...more] = E.isRight(body) ? unknownMembers(body.right) : []
    if (first === undefined) return decided
    if (E.isRight(decided))
      return E.left({
        error: 'invalid_client_metadata',
        error_description: first.description,
        errors: [first, ...more],
      })
    const refusal = decided.left
    const [told, ...others] = ('errors' in refusal ? refusal.errors : undefined) ?? []
    if (told === undefined) return decided
    const untold = [first, ...more].filter(({ pointer }) => ![told, ...others].some((each) => each.pointer === pointer))
    return E.left({ ...refusal, errors: reportedFaults([told, ...others, ...untold]) })
  }

/**
 * The decision of a PUT by an operator with the patched metadata, which keeps every credential. Where the metadata stays
 * the same, so does the client. The statement is that of the patched body.
 */
export const decidePatch = (
  settings: RegistrationSettings,
): ((facts: UpdateFacts) => E.Either<UpdateRefusal, DecidedUpdate>) => {
  const update = decideUpdate({ ...settings, credentials: keepingCredentials(settings.credentials) })
  return (facts) =>
    pipe(
      update({ ...facts, body: patchedBody(facts.found, facts.body) }),
      E.filterOrElseW(
        ({ next }) => hasAtMost(maxMetadataBytes)(JSON.stringify(next.metadata)),
        () => tooLarge,
      ),
      E.map(({ next, replacing }) =>
        isSameJson(next.metadata, replacing.metadata) ? { next: replacing, replacing } : { next, replacing },
      ),
      refuseUnknown(facts),
    )
}

type Decided = DecidedUpdate & { readonly sent: unknown }

const decide = (settings: RegistrationSettings, ports: PatchClientPorts) => {
  const decideFacts = decidePatch(settings)
  const statementIn = readStatement(settings, ports)
  return (
      { operator, clientId, body: patch, ifMatch }: PatchClientRequest,
      sectors: SectorIdentifiers,
    ): Answer<Decided, UpdateRefusal> =>
    async () => {
      const found = await findClient(ports, clientId)()
      if (E.isLeft(found)) return found
      const credential = credentialOf(operator)
      const body = patchedBody(found.right, patch)
      const statement = await statementIn(body)()
      const facts = { credential, found: found.right, body: patch, statement, ifMatch, issued: ports.issue() }
      const decided = decideFacts(facts)
      if (E.isLeft(decided)) return decided
      const sector = await checkSectorIdentifier(sectors)(decided.right.next.metadata, { kind: 'master' })()
      return E.isLeft(sector) ? sector : E.right({ ...decided.right, sent: E.toUnion(body) })
    }
}

/** The client without its credentials, unless the operator may see them: then an audit row says so. */
const shownTo = ({ registrationEndpoint }: RegistrationSettings, ports: PatchClientPorts) => {
  const descriptionOf = representing<ClientDescription>(clientDescription(registrationEndpoint))
  const informationOf = representing(clientWithCredentials(registrationEndpoint))
  return async (
    { operator, origin }: PatchClientRequest,
    { next, replacing }: DecidedUpdate,
  ): Promise<E.Either<Unavailable, Representation<ClientDescription>>> => {
    const showsCredentials = holds(operator, 'clients:secrets')
    if (next === replacing) {
      const { client_id } = next
      const row = auditedBy(ports, operator, { origin })
      const read = showsCredentials ? row(ports.now(), 'client_credentials_read', { client_id }) : undefined
      const said = await writeAudited(ports, read)()
      if (E.isLeft(said)) return said
    }
    return E.right(showsCredentials ? informationOf(next) : descriptionOf(next))
  }
}

/** A patch that changes nothing writes nothing: the version stays as well. */
export const patchClient = (
  settings: RegistrationSettings,
  ports: PatchClientPorts,
): ((request: PatchClientRequest) => Answer<Representation<ClientDescription>, UpdateRefusal>) => {
  const decideRequest = decide(settings, ports)
  const show = shownTo(settings, ports)
  return (request) => {
    const sectors = fetchedOnce(ports)
    const actor = actorOfOperator(request.operator)
    return changeClient(ports, request.clientId, async () => {
      const decided = await decideRequest(request, sectors)()
      if (E.isLeft(decided)) return decided
      const { next, replacing } = decided.right
      const answer = await show(request, decided.right)
      if (E.isLeft(answer)) return answer
      if (next === replacing) return E.right({ answer: answer.right, confirms: true })
      const audit = auditedClient(ports, request, { at: ports.now(), action: 'client_updated', actor }, next, replacing)
      return E.right({ answer: answer.right, change: { next, replacing, audit } })
    })
  }
}

/** Makes the same decision without changing anything; the entity tag is that of the present version. */
export const previewPatch = (
  settings: RegistrationSettings,
  ports: PatchClientPorts,
): ((request: PatchClientRequest) => Answer<Representation<PatchPreview>, UpdateRefusal>) => {
  const decideRequest = decide(settings, ports)
  const warnings = warningsOf(settings)
  return (request) =>
    pipe(
      decideRequest(request, ports),
      TE.map(({ next, replacing, sent }) => ({
        body: {
          changes: changesBetween(replacing, next),
          ...previewOfUpdate(settings.registrationEndpoint, sent, warnings(next.metadata))(next),
        },
        entityTag: entityTagOf(replacing),
      })),
    )
}

export type ChangeRequest = OperatorRequest<'clients:write'> & NamedVersion

/** What becomes of a client, and what is answered. Without a next one, the client is as requested already. */
type Change<Value> = { readonly at: EpochSeconds; readonly next?: RegisteredClient; readonly answer: Value }

/** Changes the client in the version that the operator names, with a row of the audit log. */
export const changeVersion = <Refusal extends { readonly error: string }, Value>(
  ports: ClientRegistry & AuditPorts & Turns,
  request: ChangeRequest,
  action: AuditAction,
  changeOf: (client: RegisteredClient) => E.Either<Refusal, Change<Value>>,
): Answer<Value, UnknownVersion | Refusal> => {
  const actor = actorOfOperator(request.operator)
  return changeClient<UnknownVersion | Refusal, Value>(ports, request.clientId, async () => {
    const found = await findVersion(ports, request)()
    if (E.isLeft(found)) return found
    const replacing = found.right
    const changed = changeOf(replacing)
    if (E.isLeft(changed)) return changed
    const { at, next, answer } = changed.right
    if (next === undefined) return E.right({ answer, confirms: true })
    const audit = auditedClient(ports, request, { at, action, actor }, next, replacing)
    return E.right({ answer, change: { next, replacing, audit } })
  })
}

/**
 * Renews both credentials of a client for the operator, for example after a leak: the previous secret and registration
 * access token are invalid from then on. The metadata is unchanged.
 */
export const renewCredentials =
  (
    settings: Pick<RegistrationSettings, 'credentials' | 'registrationEndpoint'>,
    ports: ClientRegistry & CredentialGenerator & AuditPorts & Turns,
  ): ((
    request: OperatorRequest<'clients:write' | 'clients:secrets'> & NamedVersion,
  ) => Answer<ClientInformation, UnknownVersion | InvalidRequest>) =>
  (request) =>
    changeVersion(ports, request, 'client_renewed', (client) => {
      // It has no credentials that a party knows.
      if (isDocumented(client)) return E.left(describedByDocument)
      const issued = ports.issue()
      const next = withGeneratedCredentials(settings.credentials, issued)(client)
      return E.right({ at: issued.at, next, answer: clientInformation(settings.registrationEndpoint)(next) })
    })

// The operator suspends a client, and resumes it; approves one that waits for it, or refuses it: docs/operate/year.md#life-cycle-of-a-client.

/** Whether the client was in the requested state before: then nothing was written. */
export type ChangedState = {
  readonly client_id: ClientId
  readonly unchanged: boolean
  /** What of the client the service does not do; left out where there is nothing. */
  readonly warnings?: ReadonlyArray<MetadataWarning>
}

export type WarningsOf = (metadata: RegisteredClient['metadata']) => ReadonlyArray<MetadataWarning>

/** `nextOf` is the client in the requested state; undefined where it is in that state already. */
const changeState =
  <Request extends ChangeRequest, Refusal extends { readonly error: string }>(
    action: 'client_suspended' | 'client_resumed' | 'client_approved' | 'client_refused',
    nextOf: (
      client: RegisteredClient,
      at: EpochSeconds,
      request: Request,
    ) => E.Either<Refusal, RegisteredClient | undefined>,
  ): ((
    ports: ClientRegistry & Clock & AuditPorts & Turns,
    warningsOfClient?: WarningsOf,
  ) => (request: Request) => Answer<ChangedState, UnknownVersion | Refusal>) =>
  (ports, warningsOfClient = () => []) =>
  (request) =>
    changeVersion<Refusal, ChangedState>(ports, request, action, (client) => {
      const at = ports.now()
      const { client_id } = client
      const changed = nextOf(client, at, request)
      if (E.isLeft(changed)) return changed
      const next = changed.right
      if (next === undefined) return E.right({ at, answer: { client_id, unchanged: true } })
      const warnings = warningsOfClient(next.metadata)
      const told = warnings.length === 0 ? {} : { warnings }
      return E.right({ at, next, answer: { client_id, unchanged: false, ...told } })
    })

/** From then on every door refuses the client, and its artefacts are without effect until it is resumed. */
export const suspendClient = changeState<ChangeRequest, never>('client_suspended', (client, at) =>
  E.right(isSuspended(client) ? undefined : suspendedClient(at)(client)),
)

/** The client is as before its suspension, with the artefacts that have not expired meanwhile. */
export const resumeClient = changeState<ChangeRequest, never>('client_resumed', (client, at) =>
  E.right(isSuspended(client) ? resumedClient(at)(client) : undefined),
)

/** The client is in force from then on, unless it is suspended. One that was refused may be approved later. */
export const approveClient = changeState<ChangeRequest, never>('client_approved', (client, at) =>
  E.right(client.approval === undefined ? undefined : approvedClient(at)(client)),
)

/** The client stays registered, and its developer reads the reason; one that is in force is suspended in place of it. */
export const refuseClient = changeState<ChangeRequest & { readonly reason: RefusalReason }, ClientInForce>(
  'client_refused',
  (client, at, { reason }) => {
    if (client.approval === undefined) return E.left(clientInForce)
    const isSame = client.approval.state === 'refused' && client.approval.reason === reason
    return E.right(isSame ? undefined : refusedClient(at, reason)(client))
  },
)

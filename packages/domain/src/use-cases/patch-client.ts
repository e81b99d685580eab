// An operator changes members of a client, which keeps its credentials: docs/registration.md.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import { changedMembers } from '../audit/changed-members.js'
import { type Operator, credentialOf, holds } from '../authorization/operator.js'
import { ClientId } from '../client/client-id.js'
import { unknownMembers } from '../client/dropped-members.js'
import { hasAtMost } from '../client/stored-bytes.js'
import { reportedFaults } from '../codec/fault.js'
import { jsonInOrder } from '../codec/json-object.js'
import { type InvalidRequest, type Unavailable, invalidRequest } from '../errors.js'
import { mergePatch } from '../json/merge-patch.js'
import type { ClientChanged, ClientRegistry } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { SectorIdentifiers } from '../ports/sector-identifiers.js'
import type { SoftwareStatements } from '../ports/software-statements.js'
import type { Turns } from '../ports/turns.js'
import {
  type ClientDescription,
  type ClientPreview,
  type MemberChange,
  changesBetween,
  clientDescription,
  clientWithCredentials,
  previewOfUpdate,
} from '../registration/client-information.js'
import { type IfMatch, type Representation, entityTagOf, representing } from '../registration/entity-tag.js'
import { warningsOf } from '../registration/metadata-warnings.js'
import { type RegisteredClient, keepingCredentials } from '../registration/registered-client.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import { type AuditWriting, type WithOrigin, audited, auditedBy, writeAudited } from './steps/audited.js'
import { checkSectorIdentifier, fetchedOnce } from './steps/check-sector-identifier.js'
import { readStatement } from './steps/read-statement.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'
import { type DecidedUpdate, type UpdateFacts, type UpdateRefusal, decideUpdate } from './update-client.js'

/** RFC 5789; the body is a JSON Merge Patch (RFC 7396) of the metadata of the client. */
export type PatchClientRequest = WithOrigin & {
  readonly operator: Operator<'clients:write'>
  readonly clientId: string
  readonly body: E.Either<InvalidRequest, unknown>
  readonly ifMatch?: IfMatch
}

export type PatchClientError = UpdateRefusal | Unavailable

export type PatchClientPorts = Pick<ClientRegistry, 'findClient' | 'replaceClient' | 'confirmReads'> &
  SoftwareStatements &
  SectorIdentifiers &
  Pick<CredentialGenerator, 'issue' | 'now'> &
  AuditWriting &
  Turns

/** A dry run of an update, with what it changes. */
export interface PatchPreview extends ClientPreview {
  readonly changes: ReadonlyArray<MemberChange>
}

const maxMetadataBytes = 65_536

const tooLarge = invalidRequest(
  `The metadata would be larger than ${maxMetadataBytes} bytes, which no update can send: remove members with null`,
)

/** The body of the update that the patch makes of the present metadata. */
export const patchedBody = (
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
        jsonInOrder(next.metadata) === jsonInOrder(replacing.metadata)
          ? { next: replacing, replacing }
          : { next, replacing },
      ),
      refuseUnknown(facts),
    )
}

type Decided = DecidedUpdate & { readonly sent: unknown }

const decide = (settings: RegistrationSettings, ports: Omit<PatchClientPorts, 'replaceClient' | keyof Turns>) => {
  const decideFacts = decidePatch(settings)
  const statementIn = readStatement(settings, ports)
  return (
      { operator, clientId, body: patch, ifMatch }: PatchClientRequest,
      sectors: SectorIdentifiers,
    ): TE.TaskEither<PatchClientError, Decided> =>
    async () => {
      const found = ClientId.is(clientId) ? await ports.findClient(clientId)() : E.right(O.none)
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
      const said = await pipe(
        writeAudited(ports, showsCredentials ? row(ports.now(), 'client_credentials_read', { client_id }) : undefined),
        TE.flatMap(() => ports.confirmReads),
      )()
      if (E.isLeft(said)) return said
    }
    return E.right(showsCredentials ? informationOf(next) : descriptionOf(next))
  }
}

/** A patch that changes nothing writes nothing: the version stays as well. */
export const patchClient = (
  settings: RegistrationSettings,
  ports: PatchClientPorts,
): ((request: PatchClientRequest) => TE.TaskEither<PatchClientError, Representation<ClientDescription>>) => {
  const decideRequest = decide(settings, ports)
  const show = shownTo(settings, ports)
  return (request) => {
    const sectors = fetchedOnce(ports)
    const patch: TE.TaskEither<PatchClientError | ClientChanged, Representation<ClientDescription>> = async () => {
      const decided = await decideRequest(request, sectors)()
      if (E.isLeft(decided)) return decided
      const { next, replacing } = decided.right
      if (next !== replacing) {
        const row = audited(ports, request, () => ({
          at: ports.now(),
          action: 'client_updated',
          client_id: next.client_id,
          actor: actorOfOperator(request.operator),
          members: changedMembers(replacing, next),
        }))
        const replaced = await ports.replaceClient(next, replacing, row)()
        if (E.isLeft(replaced)) return replaced
      }
      return show(request, decided.right)
    }
    return serializeOnConflict(ports, `client ${request.clientId}`)(patch)
  }
}

/** Makes the same decision without changing anything; the entity tag is that of the present version. */
export const previewPatch = (
  settings: RegistrationSettings,
  ports: Omit<PatchClientPorts, 'replaceClient' | keyof Turns>,
): ((request: PatchClientRequest) => TE.TaskEither<PatchClientError, Representation<PatchPreview>>) => {
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

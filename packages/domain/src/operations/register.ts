// Registering a client: RFC 7591 §3.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { actorOf } from '../audit/entries.js'
import { type TokenHash, requesterOf } from '../authorization/credential.js'
import { neededPrivileges } from '../authorization/management.js'
import { type InitialAccessToken, authorizeRegistrant } from '../authorization/registrant.js'
import { preferredClientIdTaken } from '../client/metadata.js'
import type { ReadStatement } from '../client/statement.js'
import { ownMember } from '../kernel/json-object.js'
import type * as Refusals from '../kernel/refusals.js'
import { invalidInitialAccessToken, registrationEnded } from '../kernel/refusals.js'
import { isSuspended } from '../life-cycle/doors.js'
import type { CredentialGenerator, SectorIdentifiers } from '../ports/outside.js'
import type { ClientRegistry, InitialAccessTokens } from '../ports/store.js'
import {
  type DecidedRegistration,
  type RegistrationRefusal,
  type RegistrationSettings,
  traceFor,
} from '../registration/decide.js'
import {
  type ClientInformation,
  type ClientPreview,
  clientInformation,
  previewOfRegistration,
  warningsOf,
} from '../registration/information.js'
import {
  type RegisteredClient,
  type Representation,
  provenanceOf,
  representing,
  withProvenance,
} from '../registration/registered-client.js'
import type { WithOrigin } from './audit.js'
import { type RecognizeOperatorPorts, type RequestOfActor, orAsOperator } from './caller.js'
import { type SentBodyPorts, checkSectorIdentifier, readSentBody } from './read-body.js'
import {
  type AddClientPorts,
  type AnswerAgainPorts,
  type RefusedClient,
  addOrRepeat,
  answerAgain,
} from './repetition.js'

/** RFC 7591 §3.1. The body is JSON, or its syntax fault, which only an authorized requester learns. */
type RegisterClientRequest = RequestOfActor &
  WithOrigin & {
    readonly body: E.Either<Refusals.InvalidRequest, unknown>
    /** The address of the requester, if known. */
    readonly remoteAddress?: string | undefined
    /** The same, unless it may be that of a proxy, which many share. */
    readonly ownAddress?: string | undefined
    /** draft-ietf-httpapi-idempotency-key-header-07: the same request with it is answered again. */
    readonly idempotencyKey?: string | undefined
  }

type RegisterClientError =
  | RegistrationRefusal
  | Refusals.RegistryFull
  | Refusals.IdempotencyKeyReused
  | Refusals.IdempotencyConflict
  | Refusals.Unavailable

type RegisterClientPorts = AddClientPorts &
  AnswerAgainPorts &
  Pick<InitialAccessTokens, 'findInitialAccessToken'> &
  Partial<Pick<ClientRegistry, 'findClient'>> &
  SentBodyPorts &
  SectorIdentifiers &
  Pick<CredentialGenerator, 'issue'> &
  RecognizeOperatorPorts

const noToken: TE.TaskEither<Refusals.Unavailable, O.Option<InitialAccessToken>> = TE.right(O.none)

type DecidingPorts = Omit<RegisterClientPorts, keyof AddClientPorts | 'findKeyedRegistration'>

/** The token, unless it was issued to a client that the operator has suspended. */
const findTokenInForce =
  ({ findInitialAccessToken, findClient }: DecidingPorts) =>
  (hash: TokenHash): TE.TaskEither<Refusals.Unavailable, O.Option<InitialAccessToken>> =>
  async () => {
    const token = await findInitialAccessToken(hash)()
    if (E.isLeft(token) || O.isNone(token.right)) return token
    const { owner } = token.right.value
    if (owner === undefined || findClient === undefined) return token
    const client = await findClient(owner.client_id)()
    if (E.isLeft(client)) return client
    return O.isSome(client.right) && isSuspended(client.right.value) ? E.right(O.none) : token
  }

// RFC 7591 §2.3: only a statement whose signature was verified has claims.
const issuerIn = (statement: O.Option<ReadStatement>): unknown =>
  O.isSome(statement) && E.isRight(statement.value) ? ownMember(statement.value.right, 'iss') : undefined

/** With the body as JSON. */
type DecidedBody = DecidedRegistration & { readonly sent: unknown }

const decide = (
  settings: RegistrationSettings,
  ports: DecidingPorts,
): ((request: RegisterClientRequest) => TE.TaskEither<RegisterClientError, DecidedBody>) => {
  const authorized = authorizeRegistrant(settings.mode, settings.policy.ceilings)
  const readBody = readSentBody(settings, ports)
  const trace = traceFor(settings)
  const findToken = findTokenInForce(ports)
  return ({ credential, body, remoteAddress }) =>
    async () => {
      const token = await (credential.kind === 'token' ? findToken(credential.hash) : noToken)()
      if (E.isLeft(token)) return token
      const issued = ports.issue()
      // Authorization comes first, so that no signature is verified for an unauthorized requester.
      const registrant = authorized(credential, token.right, issued.at)
      if (E.isLeft(registrant)) return registrant
      const arrival = requesterOf(credential, registrant.right.by, remoteAddress)
      const sent = await readBody({ body, at: issued.at, requester: arrival })()
      if (E.isLeft(sent)) return sent
      const { body: json, statement } = sent.right
      const decided = trace(registrant, { body: json, statement, issued }).answer
      if (E.isLeft(decided)) return decided
      const { metadata, registered_by } = decided.right.client
      const requester = requesterOf(credential, registered_by, remoteAddress)
      const sector = await checkSectorIdentifier(ports)(metadata, requester)()
      if (E.isLeft(sector)) return sector
      const { client, consumedToken } = decided.right
      const provenance = provenanceOf(O.toUndefined(consumedToken), issuerIn(statement))
      return E.right({ client: withProvenance(provenance, client), consumedToken, sent: E.toUnion(json) })
    }
}

const refusalOfStore = (error: RefusedClient): RegisterClientError => {
  switch (error.error) {
    case 'client_id_taken':
      return preferredClientIdTaken
    case 'initial_access_token_spent':
      return invalidInitialAccessToken
    case 'requested_before':
      return registrationEnded
    case 'registry_full':
    case 'unavailable':
      return error
  }
}

export const registerClient = (
  settings: RegistrationSettings,
  ports: RegisterClientPorts,
): ((request: RegisterClientRequest) => TE.TaskEither<RegisterClientError, Representation<ClientInformation>>) => {
  const decideRequest = decide(settings, ports)
  const add = addOrRepeat(settings, ports)
  const represent = representing(clientInformation(settings.registrationEndpoint))
  const register = answerAgain(ports)(
    (request: RegisterClientRequest, keyed): TE.TaskEither<RegisterClientError, RegisteredClient> =>
      async () => {
        const decided = await decideRequest(request)()
        if (E.isLeft(decided)) return decided
        const { credential, origin, ownAddress } = request
        const actor = actorOf(credential, 'initial_access_token')
        const added = await add(decided.right, { actor, origin, ownAddress, keyed })()
        return E.isLeft(added) ? E.left(refusalOfStore(added.left)) : added
      },
  )
  return orAsOperator(
    ports,
    neededPrivileges['POST /clients'],
  )((request: RegisterClientRequest) => async () => {
    const registered = await register(request)()
    return E.isLeft(registered) ? registered : E.right(represent(registered.right))
  })
}

/** Makes the same decision without registering: refusals are the same, and nothing is issued, stored or consumed. */
export const previewRegistration = (
  settings: RegistrationSettings,
  ports: DecidingPorts & Pick<ClientRegistry, 'findClient'>,
): ((request: RegisterClientRequest) => TE.TaskEither<RegisterClientError, ClientPreview>) => {
  const decideRequest = decide(settings, ports)
  const warnings = warningsOf(settings)
  return orAsOperator(
    ports,
    neededPrivileges['POST /clients'],
  )((request) => async () => {
    const decided = await decideRequest(request)()
    if (E.isLeft(decided)) return decided
    const { client, sent } = decided.right
    const found = await ports.findClient(client.client_id)()
    if (E.isLeft(found)) return found
    if (O.isSome(found.right)) return E.left(preferredClientIdTaken)
    return E.right(previewOfRegistration(sent, warnings(client.metadata))(client))
  })
}

// What a registration and an update read beside the store.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type PresentedCredential, type Requester, isOperators } from '../authorization/credential.js'
import { type ClientMetadata, type RefusedMetadata, sectorIdentifierRefused } from '../client/metadata.js'
import { type ReadStatement, decideSectorIdentifier, statementIn } from '../client/statement.js'
import { sourceOf } from '../kernel/budgets.js'
import {
  type InvalidClientMetadata,
  type InvalidRequest,
  type TooManyRequests,
  type Unavailable,
  anyFault as fault,
  invalidBody,
  invalidRequest,
  jsonExpected,
  tooManyRequests,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import { isOpenClient } from '../life-cycle/states.js'
import type { SignedBodiesPolicy } from '../policy/policy.js'
import type {
  Answer,
  BudgetConsumption,
  SectorIdentifierUnavailable,
  SectorIdentifiers,
  SignedBodies,
  SoftwareStatements,
} from '../ports/outside.js'
import type { RegistrationSettings } from '../registration/decide.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import {
  type OpenedBody,
  type SignatureFault,
  type SignedFormat,
  decideSignedBody,
  headerFaults,
  keysOfStatement,
  signedFormats,
  signedTextOf,
} from '../registration/signed-body.js'
import type { WithBody } from './audit.js'

/** RFC 7591 §2.3: the claims of the software statement in the body, if there is one. */
export const readStatement =
  (settings: Pick<RegistrationSettings, 'issuer' | 'registrationEndpoint'>, ports: SoftwareStatements) =>
  (body: E.Either<InvalidRequest, unknown>): T.Task<O.Option<ReadStatement>> =>
  async () => {
    const statement = E.isLeft(body) ? O.none : statementIn(body.right)
    if (O.isNone(statement)) return O.none
    const audiences = [settings.issuer, settings.registrationEndpoint]
    return O.some(await ports.readSoftwareStatement(statement.value, audiences)())
  }

// The body of a registration or an update, as JSON or as a JWT that is signed as a whole; docs/decisions/software-statements.md.

export type SentBodyPorts = SoftwareStatements & {
  /** Left out where no signed body is taken. */
  readonly signedBodies?: SignedBodies | undefined
}

/** The body of an authorized requester, and when it arrived. */
type ArrivedBody = WithBody & {
  readonly at: EpochSeconds
  readonly requester: Requester
  /** The software_id of the client that is updated, if it has one. */
  readonly registered?: string | undefined
}

type Refused = InvalidRequest | RefusedMetadata | Unavailable

/** A body as JSON, and the claims of its software statement. */
type SentBody = WithBody & { readonly statement: O.Option<ReadStatement> }

const signedExpected = invalidRequest(
  'The registration policy takes signed requests alone: send a JWT with the Content-Type application/jwt (docs/use/register.md#open-banking)',
)

const malformed = invalidBody([fault('signed-body')()])

const verifyBy =
  ({ fetchKeySet, verifySignedBody }: SignedBodies, { algorithms }: SignedFormat) =>
  async (
    jwt: string,
    keys: ReturnType<typeof keysOfStatement>,
    requester: Requester,
  ): Promise<E.Either<Unavailable, SignatureFault | undefined>> => {
    const verify = async (keySet: unknown) =>
      E.right((await verifySignedBody(jwt, keySet, algorithms)()) ? undefined : ('signed-body-signature' as const))
    if (keys.jwks !== undefined) return verify(keys.jwks)
    if (typeof keys.jwks_uri !== 'string') return E.right('signed-body-keys')
    if (fetchKeySet === undefined) return E.right('signed-body-keys-off')
    const fetched = await fetchKeySet(keys.jwks_uri, requester)()
    if (E.isRight(fetched)) return verify(fetched.right)
    return fetched.left.error === 'unavailable' ? E.left(fetched.left) : E.right('signed-body-keys')
  }

const readSigned = (
  settings: RegistrationSettings,
  policy: SignedBodiesPolicy,
  ports: SoftwareStatements & { readonly signedBodies: SignedBodies },
) => {
  const format = signedFormats[policy.format]
  const statementIn = readStatement(settings, ports)
  const decide = decideSignedBody(policy)
  const verify = verifyBy(ports.signedBodies, format)
  const unread: ReadStatement = E.left('software-statement')
  const signatureFaultOf = async (
    jwt: string,
    { header }: OpenedBody,
    statement: ReadStatement,
    requester: Requester,
  ): Promise<E.Either<Unavailable, SignatureFault | undefined>> =>
    // No key is read for a request that is refused without it.
    E.isLeft(statement) || headerFaults(format, header).length > 0
      ? E.right(undefined)
      : verify(jwt, keysOfStatement(format, statement.right), requester)
  return async (jwt: string, { at, requester, registered }: ArrivedBody): Promise<E.Either<Refused, SentBody>> => {
    const opened = ports.signedBodies.openSignedBody(jwt)
    if (E.isLeft(opened)) return E.left(malformed)
    const { header, claims } = opened.right
    const statement = O.getOrElse(() => unread)(await statementIn(E.right(claims))())
    const signature = await signatureFaultOf(jwt, opened.right, statement, requester)
    if (E.isLeft(signature)) return signature
    const decided = decide({ header, claims, statement, signatureFault: signature.right, at, registered })
    if (E.isLeft(decided)) return decided
    const { body, claims: asserted } = decided.right
    return E.right({ body: E.right(body), statement: O.some(E.right(asserted)) })
  }
}

/** Reads a body as JSON, or as the JWT that the registration policy takes in its place. */
export const readSentBody = (
  settings: RegistrationSettings,
  { signedBodies, ...ports }: SentBodyPorts,
): ((arrived: ArrivedBody) => TE.TaskEither<Refused, SentBody>) => {
  const policy = settings.policy.signed_bodies
  const statementIn = readStatement(settings, ports)
  const signed =
    policy === undefined || signedBodies === undefined
      ? undefined
      : readSigned(settings, policy, { ...ports, signedBodies })
  return (arrived) => async () => {
    const { body } = arrived
    const jwt = E.isRight(body) ? signedTextOf(body.right) : O.none
    if (O.isSome(jwt)) return signed === undefined ? E.left(jsonExpected) : signed(jwt.value, arrived)
    return policy?.required === true ? E.left(signedExpected) : E.right({ body, statement: await statementIn(body)() })
  }
}

// A failure of the service is not a fault of the metadata.
const refusalOf = (failure: SectorIdentifierUnavailable | Unavailable): InvalidClientMetadata | Unavailable =>
  failure.error === 'unavailable' ? failure : sectorIdentifierRefused

// Only valid and permitted metadata reaches this step, so that no other requester makes the service send a request.
/** OpenID Registration §5: checks the sector_identifier_uri of the metadata, if present. */
export const checkSectorIdentifier =
  (ports: SectorIdentifiers) =>
  (metadata: ClientMetadata, requester: Requester): Answer<void, InvalidClientMetadata> =>
    metadata.sector_identifier_uri === undefined
      ? TE.right(undefined)
      : pipe(
          ports.fetchSectorIdentifier(metadata.sector_identifier_uri, requester),
          TE.mapLeft(refusalOf),
          TE.flatMapEither(decideSectorIdentifier(metadata)),
        )

/** For one request: what was answered is answered again, even if the decision is repeated. A refusal is not remembered. */
const once = <Args extends ReadonlyArray<unknown>, Refusal, Value>(
  call: (...args: Args) => TE.TaskEither<Refusal, Value>,
  keyOf: (...args: Args) => string,
): ((...args: Args) => TE.TaskEither<Refusal, Value>) => {
  const known = new Map<string, { readonly value: Value }>()
  return (...args) => {
    const key = keyOf(...args)
    const before = known.get(key)
    return before === undefined
      ? pipe(
          call(...args),
          TE.tapIO((value) => () => known.set(key, { value })),
        )
      : TE.right(before.value)
  }
}

/** The port for one request: it fetches a document once. */
export const fetchedOnce = ({ fetchSectorIdentifier }: SectorIdentifiers): SectorIdentifiers => ({
  fetchSectorIdentifier: once(fetchSectorIdentifier, (uri) => uri),
})

// What the registrant of an open registration changes: docs/operate/security.md#abuse.

/** The port for one request: it spends a unit once. */
export const spentOnce = ({ consumeBudget }: BudgetConsumption): BudgetConsumption => ({
  consumeBudget: once(consumeBudget, (kind, source) => `${kind} ${source.name}`),
})

/** Nobody vouches for a client of open registration: its registration access token is worth no more than a POST. */
export const consumeForRegistrant =
  ({ consumeBudget }: BudgetConsumption) =>
  (
    credential: PresentedCredential,
    client: Pick<RegisteredClient, 'registered_by'>,
    remoteAddress: string | undefined,
  ): TE.TaskEither<TooManyRequests, void> =>
    isOperators(credential) || !isOpenClient(client)
      ? TE.right(undefined)
      : pipe(consumeBudget('registrations', sourceOf(remoteAddress)), TE.mapLeft(tooManyRequests('registrations')))

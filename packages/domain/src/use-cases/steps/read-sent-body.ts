// The body of a registration or an update, as JSON or as a JWT that is signed as a whole; decision 0143.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Requester } from '../../authorization/credential.js'
import { fault } from '../../codec/fault.js'
import type { EpochSeconds } from '../../codec/epoch-seconds.js'
import type { RefusedMetadata } from '../../client/metadata-refusal.js'
import type { ReadStatement } from '../../client/software-statement.js'
import { type InvalidRequest, type Unavailable, invalidBody, invalidRequest, jsonExpected } from '../../errors.js'
import type { SignedBodiesPolicy } from '../../policy/signed-bodies-policy.js'
import type { SignedBodies } from '../../ports/signed-bodies.js'
import type { SoftwareStatements } from '../../ports/software-statements.js'
import { type SignatureFault, decideSignedBody, headerFaults } from '../../registration/decide-signed-body.js'
import type { RegistrationSettings } from '../../registration/registration-settings.js'
import { type OpenedBody, signedTextOf } from '../../registration/signed-body.js'
import { type SignedFormat, keysOfStatement, signedFormats } from '../../registration/signed-formats.js'
import { readStatement } from './read-statement.js'

export type SentBodyPorts = SoftwareStatements & {
  /** Left out where no signed body is taken. */
  readonly signedBodies?: SignedBodies | undefined
}

/** The body of an authorized requester, and when it arrived. */
export type ArrivedBody = {
  readonly body: E.Either<InvalidRequest, unknown>
  readonly at: EpochSeconds
  readonly requester: Requester
  /** The software_id of the client that is updated, if it has one. */
  readonly registered?: string | undefined
}

type Refused = InvalidRequest | RefusedMetadata | Unavailable

/** A body as JSON, and the claims of its software statement. */
export type SentBody = {
  readonly body: E.Either<InvalidRequest, unknown>
  readonly statement: O.Option<ReadStatement>
}

const signedExpected = invalidRequest(
  'The registration policy takes signed requests alone: send a JWT with the Content-Type application/jwt (docs/open-banking.md)',
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

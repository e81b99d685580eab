import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Fault } from '../codec/fault.js'
import { fault, memberOfFault } from '../codec/fault.js'
import { isPlainObject } from '../codec/json-object.js'
import type { RuleId } from '../codec/rule-texts.js'
import type { InvalidClientMetadata, InvalidRedirectUri, InvalidRequest } from '../errors.js'
import { invalidRequest } from '../errors.js'
import { ruleTexts } from '../codec/rule-texts.js'
import { ClientId } from './client-id.js'
import type { ClientMetadata } from './client-metadata.js'
import { needsSecret } from './client-metadata.js'
import { refuseFaults } from './metadata-refusal.js'
import { validateClientMetadata } from './validate-client-metadata.js'

/** RFC 7591 §3.1, with the members that preset the identifier and the secret of an imported client. */
export type RegistrationRequest = {
  readonly metadata: ClientMetadata
  readonly preferred_client_id: ClientId | undefined
  readonly preferred_client_secret: string | undefined
}

type MetadataRefusal = InvalidRequest | InvalidRedirectUri | InvalidClientMetadata

// RFC 6749 §A.2: VSCHAR
const secretPattern = /^[\x20-\x7E]{32,256}$/

const own = (body: Readonly<Record<string, unknown>>, member: string): unknown =>
  Object.hasOwn(body, member) ? body[member] : undefined

const isSecret = (value: unknown): value is string => typeof value === 'string' && secretPattern.test(value)

const faultUnless = (holds: boolean, rule: RuleId, member: string): ReadonlyArray<Fault> =>
  holds ? [] : [fault(rule)(member)]

// Whether there is a secret cannot be told while the members that decide it are faulty themselves.
const isUndecided = (faults: ReadonlyArray<Fault>): boolean =>
  faults.some((each) => ['token_endpoint_auth_method', 'id_token_signed_response_alg'].includes(memberOfFault(each)))

/** The body as an object, or why not. */
export const bodyObject = (body: unknown): E.Either<InvalidRequest, Readonly<Record<string, unknown>>> =>
  isPlainObject(body) ? E.right(body) : E.left(invalidRequest(ruleTexts['json-object']))

const readRegistration = (body: Readonly<Record<string, unknown>>): E.Either<MetadataRefusal, RegistrationRequest> => {
  const { metadata, faults } = validateClientMetadata(body)
  const [id, secret] = [own(body, 'preferred_client_id'), own(body, 'preferred_client_secret')]
  const [soundId, soundSecret] = [ClientId.is(id) ? id : undefined, isSecret(secret) ? secret : undefined]
  return pipe(
    refuseFaults([
      ...faults,
      ...faultUnless(id === soundId, 'preferred-client-id', 'preferred_client_id'),
      ...faultUnless(secret === soundSecret, 'preferred-client-secret', 'preferred_client_secret'),
      ...faultUnless(
        secret === undefined || isUndecided(faults) || needsSecret(metadata),
        'preferred-client-secret-unused',
        'preferred_client_secret',
      ),
    ]),
    E.map(() => ({ metadata, preferred_client_id: soundId, preferred_client_secret: soundSecret })),
  )
}

/** Any value whatever as a registration request, or everything that is wrong with it. */
export const decodeRegistrationRequest = (body: unknown): E.Either<MetadataRefusal, RegistrationRequest> =>
  pipe(bodyObject(body), E.flatMap(readRegistration))

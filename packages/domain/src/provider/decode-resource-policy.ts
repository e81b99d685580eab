import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { pointerOf } from '../codec/fault.js'
import { objectOf } from '../codec/object-codec.js'
import { decode, listThat, optional, valueThat } from '../codec/rule-codec.js'
import { isSpaceDelimited } from '../codec/space-delimited.js'
import type { PolicyFault } from '../policy/decode-registration-policy.js'
import { type AccessTokenFormat, type ResourcePolicy, isResourceIdentifier } from './decide-scope.js'

const isScopeValue = (value: unknown): value is string =>
  typeof value === 'string' && isSpaceDelimited(value) && !value.includes(' ')

const clientIds = listThat(
  'must be a JSON array of client_ids',
  valueThat('must be a client_id', (value): value is string => typeof value === 'string' && value !== ''),
)

const rules = listThat(
  'must be a JSON array with one object for each resource',
  objectOf<string>({
    object: 'must be a JSON object',
    unknown: 'is unknown: leave it out, or write one of resource, scope, clients, introspected_by, access_token_format',
  })({
    resource: valueThat(
      'must be an absolute URI of scheme https (or http on loopback), without a fragment',
      (value): value is string => typeof value === 'string' && isResourceIdentifier(value),
    ),
    scope: listThat('must be a JSON array of scope values', valueThat('must be one scope value', isScopeValue)),
    clients: optional(clientIds),
    introspected_by: optional(clientIds),
    access_token_format: optional(
      valueThat('must be opaque or jwt', (value): value is AccessTokenFormat => value === 'opaque' || value === 'jwt'),
    ),
  }),
)

/** A parsed JSON value as a policy of resources, or all of its faults. */
export const decodeResourcePolicy = (value: unknown): E.Either<ReadonlyArray<PolicyFault>, ResourcePolicy> =>
  pipe(
    decode(rules)(value),
    E.mapLeft((faults) => faults.map(({ rule, path }) => ({ pointer: pointerOf(path), description: rule }))),
  )

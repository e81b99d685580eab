// What the core takes for the settings of the plain functions.
import * as E from 'fp-ts/lib/Either.js'
import { ownMember } from '../kernel/json-object.js'
import { century } from '../kernel/time.js'
import { isSpaceDelimited, spaceDelimitedValues } from '../kernel/values.js'
import { type PolicyFault, decodeRegistrationPolicy } from '../policy/decode.js'
import { noPolicy } from '../policy/policy.js'
import { type RegistrationSettings, defaultRegistration } from '../registration/decide.js'
import { type Given, readObject, wrong, wrongCall } from './refused.js'
import type { Refused } from './types.js'

const settingNames = [
  'policy',
  'allowOpenRegistration',
  'openRegistrationScopes',
  'outboundFetches',
  'isOnLoopback',
  'lenient',
  'clientSecretLifetime',
]

const isSet = (given: Given, name: string): boolean => ownMember(given, name) === true

const lifetimeOf = (given: Given): number | undefined => {
  const lifetime = ownMember(given, 'clientSecretLifetime') ?? 0
  return typeof lifetime === 'number' && Number.isInteger(lifetime) && lifetime >= 0 && lifetime <= century
    ? lifetime
    : undefined
}

// As the service: without the setting, each registration needs a scope.
const modeOf = (given: Given): RegistrationSettings['mode'] | undefined => {
  const scope = ownMember(given, 'openRegistrationScopes')
  if (scope !== undefined && !(typeof scope === 'string' && isSpaceDelimited(scope))) return undefined
  if (!isSet(given, 'allowOpenRegistration')) return { kind: 'managed' }
  return { kind: 'open', scope: scope === undefined ? [] : spaceDelimitedValues(scope) }
}

/** The parts of a policy that need to know all clients, or more than registrations. */
export const notEnforced = [
  'maximum_clients',
  'maximum_unused_open_clients',
  'reuse_unused_registrations',
  'metadata_documents',
  'signed_bodies',
  'clients',
] as const

const faultsOfParts = (policy: RegistrationSettings['policy']): ReadonlyArray<PolicyFault> =>
  notEnforced
    .filter((part) => policy[part] !== undefined)
    .map((part) => ({
      pointer: `/${part}`,
      description: 'is not enforced here: leave it out, and enforce it in your server',
    }))

/** The policy of the settings, or its faults. */
export const readPolicy = (policy: unknown): E.Either<Refused, RegistrationSettings['policy']> => {
  if (policy === undefined) return E.right(noPolicy)
  const decoded = decodeRegistrationPolicy(policy)
  const faults = E.isRight(decoded) ? faultsOfParts(decoded.right) : decoded.left
  const [first, ...more] = faults.map(({ pointer, description }) => ({
    member: 'policy',
    pointer,
    text: `policy${pointer} ${description}`,
  }))
  return first === undefined
    ? E.right(E.isRight(decoded) ? decoded.right : noPolicy)
    : E.left(wrongCall(first, ...more))
}

/** The settings of the core. The addresses are in no decision about metadata. */
export const readSettings = (settings: unknown): E.Either<Refused, RegistrationSettings> => {
  const object = readObject('settings', settings ?? {}, settingNames)
  if (E.isLeft(object)) return object
  const given = object.right
  const lifetime = lifetimeOf(given)
  if (lifetime === undefined)
    return E.left(
      wrong(
        'clientSecretLifetime',
        `must be a whole number of seconds from 0 to ${century}: send 0, or leave it out, for no end`,
      ),
    )
  const mode = modeOf(given)
  if (mode === undefined)
    return E.left(wrong('openRegistrationScopes', 'must be scope values separated by one space: leave it out for none'))
  const policy = readPolicy(ownMember(given, 'policy'))
  if (E.isLeft(policy)) return policy
  return E.right({
    ...defaultRegistration,
    mode,
    policy: policy.right,
    issuer: '',
    registrationEndpoint: '',
    outboundFetches: isSet(given, 'outboundFetches'),
    isOnLoopback: isSet(given, 'isOnLoopback'),
    lenient: isSet(given, 'lenient'),
    // No token of the caller is renewed, and a secret stays where the metadata needs one.
    credentials: {
      clientSecretLifetime: lifetime,
      rotateClientSecretOnUpdate: false,
      rotateRegistrationAccessTokenOnUpdate: false,
    },
  })
}

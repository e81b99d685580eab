// What the core takes for the settings of the plain functions.
import * as E from 'fp-ts/lib/Either.js'
import { ownMember } from '../kernel/json-object.js'
import { century } from '../kernel/time.js'
import { isSpaceDelimited, spaceDelimitedValues } from '../kernel/values.js'
import { decodeRegistrationPolicy } from '../policy/decode.js'
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

/** The policy of the settings, or its faults. */
export const readPolicy = (policy: unknown): E.Either<Refused, RegistrationSettings['policy']> => {
  if (policy === undefined) return E.right(noPolicy)
  const decoded = decodeRegistrationPolicy(policy)
  if (E.isRight(decoded)) return decoded
  const [first, ...more] = decoded.left.map(({ pointer, description }) => ({
    member: 'policy',
    pointer,
    text: `policy${pointer} ${description}`,
  }))
  return first === undefined ? E.right(noPolicy) : E.left(wrongCall(first, ...more))
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

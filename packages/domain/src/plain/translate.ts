// Between plain objects and the core: settings as the core takes them, and its refusals and changes as plain objects.
import * as E from 'fp-ts/lib/Either.js'
import { type ClientMetadata, readMembers } from '../client/metadata.js'
import { addedMembers, droppedMembers, presetMembers } from '../client/schema.js'
import { type Fault as CoreFault, nameOfFault } from '../kernel/faults.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { type RuleText, metadataRules } from '../kernel/rule-texts.js'
import { century } from '../kernel/time.js'
import { decodeRegistrationPolicy } from '../policy/decode.js'
import { noPolicy } from '../policy/policy.js'
import { type RegistrationSettings, defaultRegistration } from '../registration/decide.js'
import { referenceParts } from '../rules/standards.js'
import type { Changes, Fault, Refused } from './types.js'

// No rule is broken here but those of client metadata, so that a bundle has no texts of others.
const documentationOf = ({ rule }: CoreFault): Pick<Fault, 'documentation'> => {
  const { reference } = ownMember<RuleText>(metadataRules, rule) ?? { reference: '' }
  const uri = referenceParts(reference).find((part) => part.uri !== undefined)?.uri
  return uri === undefined ? {} : { documentation: uri }
}

const plainFault =
  (code: string) =>
  (found: CoreFault): Fault => ({
    code,
    text: found.description,
    // A fault of the body as a whole names no member.
    ...(found.pointer === '' ? {} : { member: nameOfFault(found), pointer: found.pointer }),
    rule: found.rule,
    ...documentationOf(found),
  })

type Refusal = {
  readonly error: string
  readonly error_description?: string
  readonly errors?: ReadonlyArray<CoreFault>
}

/** A refusal of the core. */
export const refused = ({ error, error_description = error, errors = [] }: Refusal): Refused => {
  const [first, ...more] = errors.map(plainFault(error))
  return { ok: false, faults: first === undefined ? [{ code: error, text: error_description }] : [first, ...more] }
}

type CallersFault = Pick<Fault, 'member' | 'pointer' | 'text'>

/** What the caller of a function gives, and must not. */
export const wrongCall = (first: CallersFault, ...more: ReadonlyArray<CallersFault>): Refused => {
  const told = (each: CallersFault): Fault => ({ code: 'server_error', ...each })
  return { ok: false, faults: [told(first), ...more.map(told)] }
}

type Given = Readonly<Record<string, unknown>>

const isSet = (given: Given, name: string): boolean => ownMember(given, name) === true

const lifetimeOf = (given: Given): number | undefined => {
  const lifetime = ownMember(given, 'clientSecretLifetime') ?? 0
  return typeof lifetime === 'number' && Number.isInteger(lifetime) && lifetime >= 0 && lifetime <= century
    ? lifetime
    : undefined
}

const wrongLifetime = wrongCall({
  member: 'clientSecretLifetime',
  text: `clientSecretLifetime must be a whole number of seconds from 0 to ${century}: send 0, or leave it out, for no end`,
})

const wrongSettings = wrongCall({
  member: 'settings',
  text: 'settings must be an object: leave it out for the defaults',
})

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
  return E.left(first === undefined ? wrongSettings : wrongCall(first, ...more))
}

/** Open registration, to which a scope of registration adds. The addresses are in no decision about metadata. */
export const readSettings = (settings: unknown): E.Either<Refused, RegistrationSettings> => {
  const given = settings ?? {}
  if (!isPlainObject(given)) return E.left(wrongSettings)
  const lifetime = lifetimeOf(given)
  if (lifetime === undefined) return E.left(wrongLifetime)
  const policy = readPolicy(ownMember(given, 'policy'))
  if (E.isLeft(policy)) return policy
  return E.right({
    ...defaultRegistration,
    mode: { kind: 'open', scope: [] },
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

/** RFC 7591 §2: what registration makes of the members of a body, as it was read. */
export const changesOf = (body: unknown, metadata: ClientMetadata): Changes => ({
  added: addedMembers(isPlainObject(body) ? readMembers(body).metadata : body, metadata),
  dropped: droppedMembers(body, presetMembers),
})

// Between plain objects and the core: settings as the core takes them, and its refusals and changes as plain objects.
import * as E from 'fp-ts/lib/Either.js'
import { type ClientMetadata, readMembers } from '../client/metadata.js'
import { addedMembers, droppedMembers } from '../client/schema.js'
import { type Fault as CoreFault, nameOfFault } from '../kernel/faults.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { type RuleText, metadataRules } from '../kernel/rule-texts.js'
import { century } from '../kernel/time.js'
import { isSpaceDelimited, spaceDelimitedValues } from '../kernel/values.js'
import { type PolicyFault, decodeRegistrationPolicy } from '../policy/decode.js'
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

// Settings of our service, which have hyphens in their names, are none of the caller's: what the client can do remains.
const settingOfService = /(?:, or ask the operator| \(the operator sets)[^,]* [a-z]+-[a-z-]+\)?$/

const ownText = (text: string): string => text.replace(settingOfService, '')

const plainFault =
  (code: string) =>
  (found: CoreFault): Fault => ({
    code,
    text: ownText(found.description),
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

/** A refusal of the core, and the scope values that a token needs instead. */
export const refused = (
  { error, error_description = error, errors = [] }: Refusal,
  needed: ReadonlyArray<string> = [],
): Refused => {
  const [first, ...more] = errors.map(plainFault(error))
  if (first !== undefined) return { ok: false, faults: [first, ...more] }
  const fault = { code: error, text: ownText(error_description) }
  return { ok: false, faults: [needed.length === 0 ? fault : { ...fault, needed }] }
}

type CallersFault = Pick<Fault, 'member' | 'pointer' | 'text'>

/** What the caller of a function gives, and must not. */
export const wrongCall = (first: CallersFault, ...more: ReadonlyArray<CallersFault>): Refused => {
  const told = (each: CallersFault): Fault => ({ code: 'server_error', ...each })
  return { ok: false, faults: [told(first), ...more.map(told)] }
}

export const wrong = (member: string, text: string): Refused => wrongCall({ member, text: `${member} ${text}` })

export type Given = Readonly<Record<string, unknown>>

/** An argument that is an object with these members alone: another one is misspelt, and would count for nothing. */
export const readObject = (
  argument: string,
  value: unknown,
  names: ReadonlyArray<string>,
): E.Either<Refused, Given> => {
  const known = names.join(', ')
  if (!isPlainObject(value)) return E.left(wrong(argument, `must be an object with ${known}`))
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown === undefined) return E.right(value)
  return E.left(wrong(unknown, `is unknown in ${argument}: leave it out, or write one of ${known}`))
}

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
  const isOpen = isSet(given, 'allowOpenRegistration')
  if (scope === undefined) return isOpen ? { kind: 'open', scope: [] } : { kind: 'managed' }
  return isOpen && typeof scope === 'string' && isSpaceDelimited(scope)
    ? { kind: 'open', scope: spaceDelimitedValues(scope) }
    : undefined
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
    return E.left(
      wrong(
        'openRegistrationScopes',
        'must be scope values separated by one space, with allowOpenRegistration: leave it out for none',
      ),
    )
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

// RFC 7591 §2: what registration makes of the members that were sent.
type Registering = Changes & { readonly metadata: ClientMetadata }

const parsed: (json: string) => ClientMetadata = JSON.parse

/**
 * Of a body, of what is left of it where sloppy ones are taken, and of the other members that are read. The metadata is a copy, so that its holder may change
 * it: it shares nothing with the body and the defaults.
 */
export const changesOf = (
  body: unknown,
  tidy: unknown,
  valid: ClientMetadata,
  others: ReadonlyArray<string>,
): Registering => {
  const metadata = parsed(JSON.stringify(valid))
  const sent = isPlainObject(body) ? body : {}
  const leftOut = Object.keys(sent).filter(
    (name) => isPlainObject(tidy) && !Object.hasOwn(tidy, name) && !Object.hasOwn(metadata, name),
  )
  return {
    metadata,
    added: addedMembers(readMembers(sent).metadata, metadata),
    dropped: [...droppedMembers(tidy, others), ...leftOut],
  }
}

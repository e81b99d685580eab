// Client metadata, policies and scopes judged by themselves: no registrant, nothing issued.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { isNothing, missingPrivileges, neededScopeValues, parseRegistrationScope } from '../authorization/registrant.js'
import { presetMembers } from '../client/schema.js'
import { matchRedirectUri as matchRegistered } from '../client/uris.js'
import { stepsOf } from '../kernel/faults.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { tidiedIf } from '../registration/adjustments.js'
import { decodeRegistrationRequest, ruleBook } from '../registration/decide.js'
import type { ClientMetadata } from './client-metadata.js'
import { changesOf, readPolicy, readSettings, refused } from './translate.js'
import type { Changes, Privileges, Refused, Settings } from './types.js'

export interface Checked extends Changes {
  readonly ok: true
  /** With all defaults. */
  readonly metadata: ClientMetadata
}

// Characters of a generated client_secret, as of 32 random bytes: enough for HS256 alone (RFC 7518 §3.2).
const secretLength = 43

/** Judges client metadata by the rules of the standards and of the policy. The body may be any value of JSON. */
export const checkClientMetadata = (body: unknown, settings?: Settings): Checked | Refused => {
  const read = readSettings(settings)
  if (E.isLeft(read)) return read.left
  const { body: tidy } = tidiedIf(read.right.lenient, body)
  const decoded = decodeRegistrationRequest(ruleBook(read.right))({
    body: tidy,
    statement: O.none,
    secretLength,
    registeredBy: 'nobody',
  })
  if (E.isLeft(decoded)) return refused(decoded.left)
  return { ok: true, ...changesOf(body, tidy, decoded.right.metadata, presetMembers) }
}

/** Judges a registration policy, so that its faults are found before a client registers. */
export const checkPolicy = (policy: unknown): { readonly ok: true } | Refused => {
  const read = readPolicy(policy)
  return E.isLeft(read) ? read.left : { ok: true }
}

type Issue = { readonly message: string; readonly path: ReadonlyArray<string | number> }

interface ClientMetadataSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'clientele'
    readonly validate: (
      value: unknown,
    ) => { readonly value: ClientMetadata; readonly issues?: undefined } | { readonly issues: ReadonlyArray<Issue> }
    readonly types?: { readonly input: Partial<ClientMetadata>; readonly output: ClientMetadata } | undefined
  }
}

// An index is a number in the paths of Standard Schema.
const pathOf = (pointer: string): Issue['path'] =>
  stepsOf(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** The same judgement by the standards alone, for whatever takes a Standard Schema: https://standardschema.dev */
export const clientMetadata: ClientMetadataSchema = {
  '~standard': {
    version: 1,
    vendor: 'clientele',
    validate: (value) => {
      const checked = checkClientMetadata(value)
      return checked.ok
        ? { value: checked.metadata }
        : { issues: checked.faults.map(({ text, pointer = '' }) => ({ message: text, path: pathOf(pointer) })) }
    },
  },
}

const isText = (entry: unknown): entry is string => typeof entry === 'string'

/**
 * RFC 6749 §3.1.2.3, RFC 8252 §7.3: the registered redirection URI that the `redirect_uri` of an authorization request
 * means; undefined where none does. Send the response to the requested URI, whose port may differ.
 */
export const matchRedirectUri = (
  client: Partial<Pick<ClientMetadata, 'application_type' | 'redirect_uris'>>,
  requested: unknown,
): string | undefined => {
  const stored: unknown = client
  if (!isPlainObject(stored)) return undefined
  const uris = ownMember(stored, 'redirect_uris')
  const redirect_uris = Array.isArray(uris) ? uris.filter(isText) : []
  const application_type = ownMember(stored, 'application_type') === 'native' ? 'native' : 'web'
  return O.toUndefined(matchRegistered({ application_type, redirect_uris }, requested))
}

export interface ReadPrivileges {
  readonly ok: true
  readonly privileges: Privileges
}

/** The privileges of a scope of registration, such as `client-reg:grant:code client-reg:scope`. */
export const readPrivileges = (scope: unknown): ReadPrivileges | Refused => {
  const read = parseRegistrationScope(scope)
  return E.isLeft(read) ? refused(read.left) : { ok: true, privileges: read.right.privileges }
}

export interface ComparedPrivileges {
  readonly ok: true
  /** Whether the granted scope permits all that the requested one does. */
  readonly permitted: boolean
  /** The least privileges to add so that it does. */
  readonly missing: Privileges
  /** The scope values that grant them. */
  readonly needed: ReadonlyArray<string>
}

/** Compares two scopes of registration: requested ≤ granted. */
export const comparePrivileges = (granted: unknown, requested: unknown): ComparedPrivileges | Refused => {
  const held = readPrivileges(granted)
  if (!held.ok) return held
  const wanted = readPrivileges(requested)
  if (!wanted.ok) return wanted
  const missing = missingPrivileges(held.privileges)(wanted.privileges)
  return { ok: true, permitted: isNothing(missing), missing, needed: neededScopeValues(missing) }
}

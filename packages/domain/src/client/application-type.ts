// The application type of a client that does not name one, or whose redirection URIs contradict it.
import { type KnownMembers, type NameWith, redirectMembers } from './members.js'
import { isRefusedScheme } from './private-use-scheme.js'
import type { InvalidMembers } from './read-members.js'
import type { ApplicationType } from './redirect-uri.js'
import { type UriParts, isLoopback, isWebScheme, uriFault, uriParts } from './uri.js'
import { maxEntries } from './value-types.js'

/** The members on which the application type depends, as sent. */
export type TypeFacts = {
  readonly requested: Pick<KnownMembers, NameWith<'redirects'> | 'application_type' | 'grant_types'>
  readonly invalid: InvalidMembers
}

const isUri = (entry: unknown): entry is string => typeof entry === 'string' && uriFault(entry) === undefined

// Of a list with faults, the entries that are URIs count, so that one fault does not cause another.
const urisOf = ({ requested, invalid }: TypeFacts, member: NameWith<'redirects'>): ReadonlyArray<string> => {
  const valid = requested[member]
  const sent: unknown = invalid[member]
  return valid ?? (Array.isArray(sent) ? sent.slice(0, maxEntries).filter(isUri) : [])
}

const isPrivateUse = ({ scheme }: UriParts): boolean => !isWebScheme(scheme) && !isRefusedScheme(scheme)

// OpenID Registration §2, RFC 8252 §7: private-use schemes, http on a loopback host, and https on any other host
const isForNative = (parts: UriParts): boolean =>
  isWebScheme(parts.scheme) ? (parts.scheme === 'http') === isLoopback(parts.host) : isPrivateUse(parts)

// Most clients have https alone, and their URIs are not read twice.
const mayBeInstalled = (uris: ReadonlyArray<string>): boolean => uris.some((uri) => !uri.startsWith('https:'))

// RFC 8252 §7: at least one URI leads to an application on the device, and a native client may have all of them. The
// implicit grant keeps the rules of web clients (OpenID Registration §2).
const isInstalled = (facts: TypeFacts): boolean => {
  const uris = urisOf(facts, 'redirect_uris')
  if (!mayBeInstalled(uris) || facts.requested.grant_types?.includes('implicit') === true) return false
  return (
    uris.some((uri) => uriParts(uri).scheme !== 'https') &&
    redirectMembers.every((member) => urisOf(facts, member).every((uri) => isForNative(uriParts(uri))))
  )
}

const hasPrivateUse = (facts: TypeFacts): boolean =>
  urisOf(facts, 'redirect_uris').some((uri) => isPrivateUse(uriParts(uri)))

/**
 * OpenID Registration §2, RFC 7591 §2: a client that does not name its type is native if its redirection URIs are those
 * of an installed application. A client that says `web` stays one, unless the policy replaces a `web` that private-use
 * schemes contradict.
 */
export const effectiveApplicationType = (facts: TypeFacts, replacesWeb: boolean): ApplicationType => {
  const { application_type } = facts.requested
  if (application_type === 'native') return 'native'
  if (application_type === 'web' && !(replacesWeb && hasPrivateUse(facts))) return 'web'
  return isInstalled(facts) ? 'native' : 'web'
}

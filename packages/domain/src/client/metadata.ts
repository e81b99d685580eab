// Client metadata: as requested, and with the defaults.
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type Fault, fault, faultsAt, memberOfFault, nameOfFault, reportedFaults } from '../kernel/faults.js'
import type * as Refusals from '../kernel/refusals.js'
import { type ValueType, reportedName } from '../kernel/values.js'
import { asymmetricAlgorithms, contentEncryption, signingAlgorithmOrNone, usesSecret } from './keys.js'
import {
  type KnownMembers,
  type MemberName,
  type NameWith,
  algorithmMembers,
  choiceLists,
  contentMembers,
  emptiableMembers,
  humanReadableMembers,
  isMemberName,
  members,
  redirectMembers,
} from './members.js'
import {
  type ApplicationType,
  type UriParts,
  isLoopback,
  isPrivateHttp,
  isRefusedScheme,
  isWebScheme,
  redirectionUriFault,
  uriParts,
} from './uris.js'
import { authMethod, maxUris, subjectType } from './values.js'

type HumanReadableMember = NameWith<'languageTagged'>

/** RFC 7591 §2.2: members like client_name#ja-Jpan-JP; the variants of keywords are lists. */
type LanguageTagged = {
  readonly [member: `${HumanReadableMember}#${string}`]: string | ReadonlyArray<string>
}

type Entry = readonly [name: string, value: unknown]

type Tagged = {
  readonly name: string
  readonly member: HumanReadableMember
  readonly tag: string
  readonly value: unknown
}

export const maxVariants = 64
const maxTagLength = 35

// RFC 5646 §2.1: language, script, region, variants, extensions and private use; or private use alone
const languageTag =
  /^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?|x(?:-[a-z\d]{1,8})+)$/i
// RFC 5646 §2.1: grandfathered tags without this form
const irregularTag =
  /^(?:en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-FR|BE-NL|CH-DE))$/i

const isLanguageTag = (tag: string): boolean =>
  tag.length <= maxTagLength && (languageTag.test(tag) || irregularTag.test(tag))

const humanReadable: ReadonlySet<string> = new Set(humanReadableMembers)

const isHumanReadable = (name: string): name is HumanReadableMember => humanReadable.has(name)

/** RFC 7591 §2.2: the member of which a name with a language tag is a variant. */
export const memberOfVariant = (name: string): HumanReadableMember | undefined => {
  const end = name.indexOf('#')
  const member = end === -1 ? '' : name.slice(0, end)
  return isHumanReadable(member) ? member : undefined
}

/** RFC 7591 §2.2: a member and its variants in other languages count as one. */
export const memberNamed = (name: string): string => memberOfVariant(name) ?? name

const taggedMember = ([name, value]: Entry): ReadonlyArray<Tagged> => {
  const member = memberOfVariant(name)
  return member === undefined ? [] : [{ name, member, tag: name.slice(member.length + 1), value }]
}

const isValidTagged = ({ member, tag, value }: Tagged): boolean =>
  isLanguageTag(tag) && members[member].type.codec.is(value)

const faultsOfTagged = ({ name, member, tag, value }: Tagged): ReadonlyArray<Fault> =>
  isLanguageTag(tag)
    ? faultsAt(name, members[member].type.codec.brokenRules(value))
    : [fault('language-tag')(reportedName(name))]

// RFC 5646 §2.1.1: tags are compared without regard to case
const repetitionFaults = (all: ReadonlyArray<Tagged>): ReadonlyArray<Fault> => {
  const names = all.map(({ name }) => name.toLowerCase())
  return all
    .filter((_, index) => names.indexOf(names[index] ?? '') < index)
    .map(({ name }) => fault('language-tag-repeated')(reportedName(name)))
}

/** The valid variants, and the faults of the others. */
const readLanguageTagged = (
  entries: ReadonlyArray<Entry>,
): { readonly valid: ReadonlyArray<Entry>; readonly faults: ReadonlyArray<Fault> } => {
  const sent = entries.flatMap(taggedMember)
  const all = sent.slice(0, maxVariants)
  const { left: invalid, right: valid } = RA.partition(isValidTagged)(all)
  return {
    valid: valid.map(({ name, value }) => [name, value]),
    faults: [
      ...(sent.length > maxVariants ? [fault('language-tags')(sent[0]?.member ?? '')] : []),
      ...invalid.flatMap(faultsOfTagged),
      ...repetitionFaults(all),
    ],
  }
}

/** RFC 7591 §2: metadata as sent. Each member follows its own rule; there are no defaults. */
export interface RequestedClientMetadata extends KnownMembers, LanguageTagged {}

/** Members whose value violates their own rule. */
export type InvalidMembers = { readonly [Name in MemberName]?: unknown }

export type ReadMembers = {
  readonly metadata: RequestedClientMetadata
  readonly invalid: InvalidMembers
  readonly faults: ReadonlyArray<Fault>
}

type Known = readonly [name: MemberName, value: unknown]

const isKnown = (entry: Entry): entry is Known => isMemberName(entry[0])

const emptiable: ReadonlySet<string> = new Set(emptiableMembers)

// A member that says nothing counts as absent, as an undefined one does.
const saysSomething = ([name, value]: Entry): boolean => value !== undefined && !(value === '' && emptiable.has(name))

const isValid = ([name, value]: Known): boolean => members[name].type.codec.is(value)

const faultsOf = ([name, value]: Known): ReadonlyArray<Fault> =>
  faultsAt(name, members[name].type.codec.brokenRules(value))

/** The valid members, and all faults of the others. */
export const readMembers = (body: Readonly<Record<string, unknown>>): ReadMembers => {
  // Only own members of the body, not inherited ones. Unknown ones are dropped (RFC 7591 §2).
  const entries: ReadonlyArray<Entry> = Object.entries(body).filter(saysSomething)
  const { left: invalidEntries, right: valid } = RA.partition(isValid)(entries.filter(isKnown))
  const tagged = readLanguageTagged(entries)
  // Codecs do not change values: the value that was checked is the value that was sent.
  const metadata: KnownMembers = Object.fromEntries([...valid, ...tagged.valid])
  const invalid: InvalidMembers = Object.fromEntries(invalidEntries)
  return { metadata, invalid, faults: [...invalidEntries.flatMap(faultsOf), ...tagged.faults] }
}

export type RefusedMetadata =
  | Refusals.InvalidRedirectUri
  | Refusals.InvalidClientMetadata
  | Refusals.InvalidSoftwareStatement
  | Refusals.UnapprovedSoftwareStatement

const order = ['', ...Object.keys(members)]

const rank = (found: Fault): number => {
  const position = order.indexOf(memberOfFault(found))
  return position === -1 ? order.length : position
}

const inOrderOfMembers = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  [...faults].sort((one, other) => rank(one) - rank(other))

// RFC 7591 §3.2.2; a fault in a claim of the software statement is a fault of the statement
const codeOf = (first: Fault, asserted: ReadonlyArray<string>): RefusedMetadata['error'] => {
  if (first.rule === 'software-statement-unapproved') return 'unapproved_software_statement'
  // RFC 7591 §3.2.2: the statement is valid, and its software is not approved here
  const isAsserted = asserted.includes(nameOfFault(first))
  if (isAsserted && first.rule.startsWith('policy-software')) return 'unapproved_software_statement'
  const member = memberOfFault(first)
  const isOfStatement = first.rule.startsWith('software-statement') || member === 'software_statement'
  if (isOfStatement || isAsserted) return 'invalid_software_statement'
  return member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
}

/** RFC 7591 §3.2.2: the first fault determines the code and the description; all faults are reported. */
export const refuseFaults = (
  faults: ReadonlyArray<Fault>,
  asserted: ReadonlyArray<string> = [],
): E.Either<RefusedMetadata, void> => {
  const [first, ...rest] = inOrderOfMembers(faults)
  return first === undefined
    ? E.right(undefined)
    : E.left({
        error: codeOf(first, asserted),
        error_description: first.description,
        errors: reportedFaults([first, ...rest]),
      })
}

const invalidClientMetadata = (found: Fault): Refusals.InvalidClientMetadata => ({
  error: 'invalid_client_metadata',
  error_description: found.description,
  errors: [found],
})

/** Reveals nothing about the client that has the identifier. */
export const preferredClientIdTaken = invalidClientMetadata(fault('preferred-client-id-taken')('preferred_client_id'))

/** Reveals nothing about the document at the URI. */
export const sectorIdentifierRefused = invalidClientMetadata(fault('sector-identifier')('sector_identifier_uri'))

// The application type of a client that does not name one, or whose redirection URIs contradict it.

/** The members on which the application type depends, as sent. */
type TypeFacts = {
  readonly requested: Pick<KnownMembers, NameWith<'redirects'> | 'application_type' | 'grant_types'>
  readonly invalid: InvalidMembers
}

const isUri = (entry: unknown): entry is string => typeof entry === 'string' && redirectionUriFault(entry) === undefined

// Of a list with faults, the entries that are URIs count, so that one fault does not cause another.
const urisOf = ({ requested, invalid }: TypeFacts, member: NameWith<'redirects'>): ReadonlyArray<string> => {
  const valid = requested[member]
  const sent: unknown = invalid[member]
  return valid ?? (Array.isArray(sent) ? sent.slice(0, maxUris).filter(isUri) : [])
}

const isPrivateUseUri = ({ scheme }: UriParts): boolean => !isWebScheme(scheme) && !isRefusedScheme(scheme)

// OpenID Registration §2, RFC 8252 §7: private-use schemes, http on loopback, https elsewhere; by policy, private http
const isForNative = (parts: UriParts, takesPrivateHttp: boolean): boolean => {
  if (!isWebScheme(parts.scheme)) return isPrivateUseUri(parts)
  return (parts.scheme === 'http') === isLoopback(parts.host) || (takesPrivateHttp && isPrivateHttp(parts))
}

// Most clients have https alone, and their URIs are not read twice.
const mayBeInstalled = (uris: ReadonlyArray<string>): boolean => uris.some((uri) => !uri.startsWith('https:'))

// RFC 8252 §7: at least one URI leads to an application on the device, and a native client may have all of them. The
// implicit grant keeps the rules of web clients (OpenID Registration §2).
const isInstalled = (facts: TypeFacts, takesPrivateHttp: boolean): boolean => {
  const uris = urisOf(facts, 'redirect_uris')
  if (!mayBeInstalled(uris) || facts.requested.grant_types?.includes('implicit') === true) return false
  return (
    uris.some((uri) => uriParts(uri).scheme !== 'https') &&
    redirectMembers.every((member) =>
      urisOf(facts, member).every((uri) => isForNative(uriParts(uri), takesPrivateHttp)),
    )
  )
}

const hasPrivateUse = (facts: TypeFacts): boolean =>
  urisOf(facts, 'redirect_uris').some((uri) => isPrivateUseUri(uriParts(uri)))

/**
 * OpenID Registration §2, RFC 7591 §2: a client that does not name its type is native if its redirection URIs are those
 * of an installed application. A client that says `web` stays one, unless the policy replaces a `web` that private-use
 * schemes contradict.
 */
export const effectiveApplicationType = (
  facts: TypeFacts,
  { replacesWebType, takesPrivateHttp }: Pick<DefaultsContext, 'replacesWebType' | 'takesPrivateHttp'>,
): ApplicationType => {
  const { application_type } = facts.requested
  if (application_type === 'native') return 'native'
  if (application_type === 'web' && !(replacesWebType && hasPrivateUse(facts))) return 'web'
  return isInstalled(facts, takesPrivateHttp) ? 'native' : 'web'
}

type Defaults = Required<
  Pick<KnownMembers, NameWith<'default'> | 'application_type' | 'id_token_signed_response_alg' | 'response_types'>
>

/** RFC 7591 §2: the effective metadata, with all defaults. */
export interface ClientMetadata extends Omit<KnownMembers, keyof Defaults>, Defaults, LanguageTagged {}

/** Whether the service or the provider supports the value for the member. */
export type IsSupported = (member: string, value: string) => boolean

// OpenID RP Metadata Choices §2: of the values that the client supports, the default, else the first supported here,
// else the first known, which is then reported as a fault.
const chosen = <Value extends string>(
  type: ValueType<Value>,
  listed: ReadonlyArray<string> | undefined,
  byDefault: Value,
  isSupported: (value: string) => boolean = () => true,
): Value => {
  if (listed === undefined) return byDefault
  const known = [...(listed.includes(byDefault) ? [byDefault] : []), ...listed.filter(type.codec.is)]
  return known.find(isSupported) ?? known[0] ?? byDefault
}

const listOf: ReadonlyMap<string, NameWith<'listOf'>> = new Map(choiceLists.map((list) => [members[list].listOf, list]))

const supportedOf = (requested: RequestedClientMetadata, member: MemberName): ReadonlyArray<string> | undefined => {
  const list = listOf.get(member)
  return list === undefined ? undefined : requested[list]
}

// OpenID Registration §2, JARM §3, RFC 9701 §6: the content encryption has a default where key encryption is named.
const defaultEncryptions = (
  requested: RequestedClientMetadata,
  isSupported: IsSupported,
): Partial<RequestedClientMetadata> =>
  Object.fromEntries(
    contentMembers
      .filter((enc) => requested[members[enc].alg] !== undefined && requested[enc] === undefined)
      .map((enc) => {
        const isSupportedHere = (value: string): boolean => isSupported(enc, value)
        return [enc, chosen(contentEncryption, supportedOf(requested, enc), 'A128CBC-HS256', isSupportedHere)]
      }),
  )

// OpenID Registration §2: RS256; §3.2: the server may register another value in place of an unsupported one and report
// it
const defaultSignature = (isSupported: (value: string) => boolean) => asymmetricAlgorithms.find(isSupported) ?? 'RS256'

const idTokenSignature = (requested: RequestedClientMetadata, isSupported: IsSupported) => {
  const signs = (value: string): boolean => isSupported('id_token_signed_response_alg', value)
  return (
    requested.id_token_signed_response_alg ??
    chosen(
      signingAlgorithmOrNone,
      requested.id_token_signing_alg_values_supported,
      requested.id_token_signing_alg_values_supported === undefined ? defaultSignature(signs) : 'RS256',
      signs,
    )
  )
}

// RFC 7591 §2: the server may replace what it does not do, if something remains; adjustmentsOf tells the client
const servedResponseTypes = (sent: KnownMembers['response_types'], isSupported: IsSupported) => {
  const served = sent?.filter((each) => isSupported('response_types', each)) ?? []
  return served.length === 0 ? sent : served
}

export const redirectGrants = ['authorization_code', 'implicit']

export const usesRedirects = (grantTypes: ReadonlyArray<string>): boolean =>
  grantTypes.some((grantType) => redirectGrants.includes(grantType))

/** What defaults depend on, beside the metadata as sent. */
export type DefaultsContext = {
  /** Selects a value where the client lists several and leaves the choice to the service. */
  readonly isSupported: IsSupported
  /** Members that violate their own rule, as sent: the metadata does not contain them. */
  readonly invalid: InvalidMembers
  /** Whether a client that says web, and has private-use schemes, is registered as native: a part of the policy. */
  readonly replacesWebType: boolean
  /** Whether a native client may have http on hosts of private networks: a part of the policy. */
  readonly takesPrivateHttp: boolean
}

const ofStoredMetadata: DefaultsContext = {
  isSupported: () => true,
  invalid: {},
  replacesWebType: false,
  takesPrivateHttp: false,
}

/** RFC 7591 §2 and OpenID Registration §2; a client without authorization_code gets no response type. */
export const withDefaults = (
  requested: RequestedClientMetadata,
  context: DefaultsContext = ofStoredMetadata,
): ClientMetadata => {
  const { isSupported, invalid } = context
  const grant_types = requested.grant_types ?? members.grant_types.default
  // Object.assign gives all objects one hidden class; a spread does not, and the rules would read members slowly.
  return Object.assign({}, requested, defaultEncryptions(requested, isSupported), {
    application_type: effectiveApplicationType({ requested, invalid }, context),
    grant_types,
    id_token_signed_response_alg: idTokenSignature(requested, isSupported),
    response_types:
      servedResponseTypes(requested.response_types, isSupported) ??
      (grant_types.includes('authorization_code') ? ['code'] : []),
    subject_type:
      requested.subject_type ?? chosen(subjectType, requested.subject_types_supported, members.subject_type.default),
    token_endpoint_auth_method:
      requested.token_endpoint_auth_method ??
      chosen(
        authMethod,
        requested.token_endpoint_auth_methods_supported,
        members.token_endpoint_auth_method.default,
        (value) => isSupported('token_endpoint_auth_method', value),
      ),
  })
}

/** The members whose algorithm satisfies the predicate. */
export const membersOfAlgorithms = (
  metadata: ClientMetadata,
  isOfKind: (algorithm: string) => boolean,
): ReadonlyArray<NameWith<'keyOf'>> =>
  algorithmMembers.filter((member) => {
    const algorithm = metadata[member]
    return algorithm !== undefined && isOfKind(algorithm)
  })

const secretMethods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']

/** Whether the client authenticates with a secret, or an algorithm of its metadata uses one. */
export const needsSecret = (metadata: ClientMetadata): boolean =>
  secretMethods.includes(metadata.token_endpoint_auth_method) || membersOfAlgorithms(metadata, usesSecret).length > 0

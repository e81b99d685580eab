// What an end-user is told about an application, and whether to ask.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { isDocumented, isNamedBySettings, isOperatorsClient } from '../client/ids.js'
import { isHostName, isLoopback, isWebScheme, matchRedirectUri, uriParts } from '../client/uris.js'
import {
  type JsonObject,
  isParsedObject,
  isPlainObject,
  isSameJson,
  jsonInOrder,
  ownMember,
} from '../kernel/json-object.js'
import { parseWellFormedJson } from '../kernel/json.js'
import type { EpochSeconds } from '../kernel/time.js'
import { decodedAscii, isBase64url } from '../kernel/values.js'
import type { Subject } from '../logout/sessions.js'
import { type ClientEntries, skipsConsent } from '../policy/policy.js'
import type { RegisteredClient, Registration } from '../registration/registered-client.js'
import { mixesScripts, readingsOf, skeletonOf } from './look-alikes.js'

// What a consent page must say about an application: RFC 6749 §10.2, RFC 9700 §4.16.

export type Consent = {
  readonly sub: Subject
  readonly client: Registration
  /** Every scope value that the end-user consented to. */
  readonly scope: ReadonlyArray<string>
  /** RFC 8707 §2: the scope values by resource. */
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  /** The facts about the client that the end-user was shown, for what changes later. */
  readonly shown: JsonObject
  readonly given_at: EpochSeconds
}

/** Whether the two are the same consent, or both are none. */
export const isSameConsent = (one: O.Option<Consent>, other: O.Option<Consent>): boolean =>
  isSameJson(O.toUndefined(one), O.toUndefined(other))

/** An authorization request for which an end-user is asked. */
export type ConsentRequest = {
  readonly client: RegisteredClient
  /** The redirection URI of this request. */
  readonly redirectUri: string
  readonly scope: ReadonlyArray<string>
  /** RFC 8707 §2: scope values by resource. */
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  /** OpenID Core §3.1.2.1: the request has prompt=consent. */
  readonly mustAsk?: boolean
  /** The digest of the picture on the page. */
  readonly logo?: string | undefined
}

/** An application, and where its answers go. */
export type Linked = Pick<ConsentRequest, 'client' | 'redirectUri'>

type Identity =
  /** A party behind this host vouches for the name and the redirection URI. */
  | { readonly kind: 'verified'; readonly host: string }
  /** An operator registered the application; nobody vouches for its name, which its owner may change. */
  | { readonly kind: 'registered' }
  /** The registrant chose the name, and can choose any. */
  | { readonly kind: 'claimed' }

/** Where the answer of the authorization server goes. */
type RedirectHost = {
  readonly kind: 'web' | 'loopback' | 'private_use'
  /** Host and port; for a private-use scheme, the scheme with its colon. */
  readonly host: string
}

export type ConsentWarning =
  /** RFC 8252 §8.3: any application on the device of the end-user can receive the answer. */
  | { readonly kind: 'loopback_only' }
  /** RFC 8252 §8.1: any application that claims the scheme can receive the answer. */
  | { readonly kind: 'private_use_scheme'; readonly scheme: string }
  /** The name can be taken for this one, which belongs to others. */
  | { readonly kind: 'looks_like'; readonly name: string }
  /** The name claims a status that only the operator could give. */
  | { readonly kind: 'claims_status'; readonly word: string }
  /** UTS #39 §5.1: a word has letters of several scripts. */
  | { readonly kind: 'mixed_scripts' }

/** What differs from the facts that the end-user consented to. */
export type ConsentChange = 'identity' | 'name' | 'redirect_hosts' | 'keys' | 'logo' | 'scope' | 'resources'

export type ConsentFacts = {
  readonly identity: Identity
  /** The names as claimed, in all languages. */
  readonly names: ReadonlyArray<string>
  /** That of this request first, and each once. */
  readonly redirectHosts: ReadonlyArray<RedirectHost>
  readonly keys: ReadonlyArray<string>
  readonly logo?: string | undefined
  readonly warnings: ReadonlyArray<ConsentWarning>
  readonly scope: ReadonlyArray<string>
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  /** Since the last consent; empty for the first one. */
  readonly changes: ReadonlyArray<ConsentChange>
}

/** A name that only applications at its hosts, or below them, may have or resemble; without hosts, none may. */
export type ProtectedName = { readonly name: string; readonly hosts: ReadonlyArray<string> }

/** The operator's part: plain data. */
export type ConsentPolicy = {
  readonly protectedNames: ReadonlyArray<ProtectedName>
  /** The client_id of applications of the operator, for which no end-user is asked. */
  readonly firstPartyClients: ReadonlyArray<string>
  /** The entries of the registration policy about single clients. */
  readonly clients?: ClientEntries
  /** Whether end-users are shown links and pictures of an application for which nobody vouches. */
  readonly showsUnvouched: boolean
}

export const noConsentPolicy: ConsentPolicy = { protectedNames: [], firstPartyClients: [], showsUnvouched: false }

// The part of the facts that is stored with a consent, to recognize changes later.

type Identified = Pick<ConsentFacts, 'identity' | 'names' | 'redirectHosts' | 'keys' | 'logo'>

/** What the end-user was shown, as stored with the consent. */
export const shownFacts = ({ identity, names, redirectHosts, keys, logo }: Identified): JsonObject => ({
  identity: identity.kind === 'verified' ? identity.host : '',
  name: [...names].sort(),
  redirect_hosts: redirectHosts.map(({ host }) => host).sort(),
  keys: [...keys].sort(),
  ...(logo === undefined ? {} : { logo }),
})

/** Whether the end-user saw, on a page, all that the consent gives. */
export const isSeen = ({ shown }: Pick<Consent, 'shown'>): boolean => ownMember(shown, 'unseen') !== true

type Requested = Identified & Pick<ConsentFacts, 'scope' | 'resources'>

export const isSubset = (requested: ReadonlyArray<string>, given: ReadonlyArray<string> | undefined): boolean =>
  given !== undefined && requested.every((value) => given.includes(value))

/** RFC 8707 §2: whether the scope values of each resource are among those that are given for it. */
export const coversResources = (given: Consent['resources'], requested: Consent['resources']): boolean =>
  Object.entries(requested).every(([resource, scope]) => isSubset(scope, ownMember(given, resource)))

const identifying = ['identity', 'name', 'redirect_hosts', 'keys'] as const

// A picture is fetched for a page alone: where there is none now, or was none then, nothing is known of a change.
const isOtherLogo = (now: unknown, then: unknown): boolean => now !== undefined && then !== undefined && now !== then

/** Which facts that identify the application differ from those that were stored. One that was not stored counts as changed. */
export const identityChanges = (shown: JsonObject, earlier: unknown): ReadonlyArray<ConsentChange> => {
  const stored = isPlainObject(earlier) ? earlier : {}
  return identifying.filter((name) => !isSameJson(ownMember(shown, name), ownMember(stored, name)))
}

/** What differs from the consent. */
const changesSince = (requested: Requested, consent: Consent): ReadonlyArray<ConsentChange> => {
  const shown = shownFacts(requested)
  const earlier: unknown = consent.shown
  const stored = isPlainObject(earlier) ? earlier : {}
  return [
    ...identityChanges(shown, stored),
    ...(isOtherLogo(shown['logo'], ownMember(stored, 'logo')) ? ['logo' as const] : []),
    ...(isSubset(requested.scope, consent.scope) ? [] : ['scope' as const]),
    ...(coversResources(consent.resources, requested.resources) ? [] : ['resources' as const]),
  ]
}

// The hosts that receive the answers of the authorization server.

const redirectHost = (uri: string): RedirectHost => {
  const { scheme, authority = '', host } = uriParts(uri)
  if (!isWebScheme(scheme)) return { kind: 'private_use', host: `${scheme}:` }
  // RFC 8252 §7.3: an application takes any port that is free.
  return isLoopback(host) ? { kind: 'loopback', host } : { kind: 'web', host: authority.toLowerCase() }
}

/** The host of this request first, then those of the registered URIs, each once. */
const redirectHostsOf = ({ client, redirectUri }: ConsentRequest): ReadonlyArray<RedirectHost> => {
  const all = [redirectUri, ...(client.metadata.redirect_uris ?? [])].map(redirectHost)
  return all.filter(({ host }, place) => all.findIndex((each) => each.host === host) === place)
}

/** RFC 8252 §8.1 and §8.3: addresses of the device, which another application there may have. */
const redirectWarnings = (hosts: ReadonlyArray<RedirectHost>): ReadonlyArray<ConsentWarning> => [
  ...(hosts.every(({ kind }) => kind === 'loopback') ? [{ kind: 'loopback_only' as const }] : []),
  ...hosts
    .slice(0, 1)
    .flatMap(({ kind, host }) =>
      kind === 'private_use' ? [{ kind: 'private_use_scheme' as const, scheme: host }] : [],
    ),
]

/** An end-user as pages name them: the name, if there is one, always with what tells two accounts apart. */
export type ShownEndUser = { readonly name: string | undefined; readonly account: string }

const maxCharacters = 120

const claimText = (claims: JsonObject, name: string): string | undefined => {
  const value = ownMember(claims, name)
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxCharacters ? value : undefined
}

/** OpenID Core §5.1: by the claims, else by sub. */
export const shownEndUser = (sub: Subject, claims: JsonObject = {}): ShownEndUser => ({
  name: claimText(claims, 'name'),
  account: claimText(claims, 'email') ?? claimText(claims, 'preferred_username') ?? sub,
})

export type ConsentDecision =
  | { readonly kind: 'skip'; readonly because: 'first_party' | 'entry' | 'remembered' }
  | { readonly kind: 'ask'; readonly because: 'requested' | 'first' | 'changed' | 'unassured' }

// RFC 8252 §8.6: without a proof of the client, an earlier consent may have been given to another application. A host that
// is reached by http is one of the device or of a private network, and another one in another network.
const isUnassured = ({ client: { metadata }, redirectUri }: ConsentRequest, { redirectHosts }: ConsentFacts): boolean =>
  metadata.token_endpoint_auth_method === 'none' &&
  (redirectHosts[0]?.kind !== 'web' || uriParts(redirectUri).scheme === 'http')

const isFirstParty = ({ client }: ConsentRequest, { firstPartyClients }: ConsentPolicy): boolean =>
  isNamedBySettings(client) && firstPartyClients.includes(client.client_id)

// No other party can register the URL of a document. OpenID Core §11: the server must always obtain consent to offline access.
const isSkippedByEntry = (request: ConsentRequest, { clients }: ConsentPolicy, facts: ConsentFacts): boolean =>
  skipsConsent(clients, request.client.client_id) &&
  (isNamedBySettings(request.client) || isDocumented(request.client)) &&
  !isUnassured(request, facts) &&
  !request.scope.includes('offline_access') &&
  // The end-user consented to what looked otherwise. What the application may do is for the operator to say.
  !identifying.some((fact) => facts.changes.includes(fact))

/** Whether the end-user is asked, with facts that describeForConsent made of the same request and consent. */
export const decideConsent =
  (policy: ConsentPolicy) =>
  (request: ConsentRequest, remembered: O.Option<Consent>, facts: ConsentFacts): ConsentDecision => {
    if (request.mustAsk === true) return { kind: 'ask', because: 'requested' }
    if (isFirstParty(request, policy)) return { kind: 'skip', because: 'first_party' }
    if (isSkippedByEntry(request, policy, facts)) return { kind: 'skip', because: 'entry' }
    if (O.isNone(remembered) || !isSeen(remembered.value)) return { kind: 'ask', because: 'first' }
    if (facts.changes.length > 0) return { kind: 'ask', because: 'changed' }
    return isUnassured(request, facts) ? { kind: 'ask', because: 'unassured' } : { kind: 'skip', because: 'remembered' }
  }

// Who vouches for an application. RFC 7591 §2.3: a statement is stored only if an issuer that the operator trusts signed it.

/** RFC 7519 §7.2: the claims of a JWT that was verified when it came. What is read of them is ASCII. */
const claimsOf = (jwt: string): JsonObject => {
  const [, payload = ''] = jwt.split('.')
  const parsed = isBase64url(payload) ? parseWellFormedJson(decodedAscii(payload)) : E.right(undefined)
  return E.isRight(parsed) && isParsedObject(parsed.right) ? parsed.right : {}
}

const hostOfIssuer = (issuer: unknown): string | undefined => {
  if (typeof issuer !== 'string') return undefined
  const { scheme, host } = uriParts(issuer)
  const name = scheme === 'https' ? host : issuer
  return isHostName(name) ? name : undefined
}

// The issuer vouches only for what its statement holds: without the name, or without this URI, it says nothing here.
const issuerOf = ({ client: { metadata }, redirectUri }: Linked): string | undefined => {
  if (metadata.software_statement === undefined) return undefined
  const claims = claimsOf(metadata.software_statement)
  const redirect_uris = ownMember(claims, 'redirect_uris')
  const vouches =
    typeof ownMember(claims, 'client_name') === 'string' &&
    t.array(t.string).is(redirect_uris) &&
    // RFC 8252 §7.3: on loopback at any port, so that the identity is the same at each sign-in.
    O.isSome(matchRedirectUri({ ...metadata, redirect_uris }, redirectUri))
  return vouches ? hostOfIssuer(ownMember(claims, 'iss')) : undefined
}

// draft-ietf-oauth-client-id-metadata-document-02 §8.5: the document has the name and the redirection URI.
const hostOfDocument = ({ client }: ConsentRequest): string | undefined =>
  isDocumented(client) ? uriParts(client.client_id).host : undefined

const identityOf = (request: ConsentRequest): Identity => {
  const host = hostOfDocument(request) ?? issuerOf(request)
  if (host !== undefined) return { kind: 'verified', host }
  return isOperatorsClient(request.client) ? { kind: 'registered' } : { kind: 'claimed' }
}

/**
 * Whether a party vouches for the member: the operator for what he registered, the host of a document for all of it, and
 * the issuer of a statement for what the statement holds.
 */
export const vouchesFor = (request: Linked, member: string): boolean => {
  const { client } = request
  if (isOperatorsClient(client) || isDocumented(client)) return true
  const { software_statement } = client.metadata
  if (software_statement === undefined || issuerOf(request) === undefined) return false
  const value = ownMember({ ...client.metadata }, member)
  return value !== undefined && ownMember(claimsOf(software_statement), member) === value
}

// Names that mislead: of others, or of a status that the operator did not give.

const wordsOfStatus = [
  'official',
  'verified',
  'certified',
  'trusted',
  'authentic',
  'genuine',
  'offiziell',
  'verifiziert',
  'officiel',
  'oficial',
  'verificado',
  '公式',
  '認証済み',
  'رسمي',
  'موثق',
]

const isAtHost = (host: string, owned: string): boolean => host === owned || host.endsWith(`.${owned}`)

const withoutPort = (host: string): string => host.replace(/:\d*$/, '')

// The answer goes to these hosts only: to the owner of the name.
const hasName = ({ hosts }: ProtectedName, identity: Identity, redirectHosts: ReadonlyArray<RedirectHost>): boolean =>
  (identity.kind === 'verified' && hosts.some((owned) => isAtHost(identity.host, owned))) ||
  redirectHosts.every(({ kind, host }) => kind === 'web' && hosts.some((owned) => isAtHost(withoutPort(host), owned)))

// A short name occurs in many words by chance.
const minPart = 4

const resembles =
  (name: string) =>
  ({ name: known }: ProtectedName): boolean => {
    const wanted = readingsOf(known)
      .map((words) => words.join(''))
      .filter((each) => each !== '')
    return readingsOf(name).some((words) => {
      const whole = words.join('')
      return wanted.some((each) => [whole, ...words].includes(each) || (each.length >= minPart && whole.includes(each)))
    })
  }

const statusOf = (name: string): string | undefined => {
  const words = new Set(readingsOf(name).flat())
  return wordsOfStatus.find((word) => words.has(skeletonOf(word)))
}

/** What is to be said about a name, in the order of the policy. */
const nameWarnings = (
  name: string,
  policy: ConsentPolicy,
  identity: Identity,
  redirectHosts: ReadonlyArray<RedirectHost>,
): ReadonlyArray<ConsentWarning> => {
  const word = identity.kind === 'verified' ? undefined : statusOf(name)
  return [
    ...policy.protectedNames
      .filter((each) => resembles(name)(each) && !hasName(each, identity, redirectHosts))
      .map(({ name: known }) => ({ kind: 'looks_like' as const, name: known })),
    ...(word === undefined ? [] : [{ kind: 'claims_status' as const, word }]),
    ...(mixesScripts(name) ? [{ kind: 'mixed_scripts' as const }] : []),
  ]
}

// RFC 7591 §2.2: the name, and its variants in other languages
const namesOf = ({ metadata }: RegisteredClient): ReadonlyArray<string> =>
  Object.entries(metadata).flatMap(([member, value]) =>
    (member === 'client_name' || member.startsWith('client_name#')) && typeof value === 'string' ? [value] : [],
  )

// RFC 7638 §3.2, RFC 8037 §2: the members that make a key
const membersOfKey = ['crv', 'e', 'kty', 'n', 'x', 'y']

const keyText = (key: unknown): string =>
  jsonInOrder(isPlainObject(key) ? Object.fromEntries(membersOfKey.map((name) => [name, ownMember(key, name)])) : null)

/** What identifies the keys of the client: the keys, or the URI at which they are. */
const keysOf = ({ metadata: { jwks = {}, jwks_uri } }: RegisteredClient): ReadonlyArray<string> => {
  const keys: unknown = ownMember(jwks, 'keys')
  return [...(jwks_uri === undefined ? [] : [jwks_uri]), ...(Array.isArray(keys) ? keys.map(keyText) : [])]
}

const once = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values.filter((value, place) => values.findIndex((each) => isSameJson(each, value)) === place)

/** What the page must say to the end-user, in which the registrant has no part but the names. */
export const describeForConsent =
  (policy: ConsentPolicy) =>
  (request: ConsentRequest, earlier: O.Option<Consent>): ConsentFacts => {
    const { client, scope, resources, logo } = request
    const identity = identityOf(request)
    const names = namesOf(client)
    const redirectHosts = redirectHostsOf(request)
    const requested = { identity, names, redirectHosts, keys: keysOf(client), logo, scope, resources }
    return {
      ...requested,
      warnings: [
        ...once(names.flatMap((name) => nameWarnings(name, policy, identity, redirectHosts))),
        ...redirectWarnings(redirectHosts),
      ],
      changes: O.isNone(earlier) ? [] : changesSince(requested, earlier.value),
    }
  }

// Which clients a filter chooses, and what a list shows of them.
import { RegisteredBy } from '../authorization/credential.js'
import type { ClientId } from '../client/ids.js'
import { isMemberName } from '../client/members.js'
import { type ClientMetadata, memberOfVariant } from '../client/metadata.js'
import { type EpochSeconds, timeOfText } from '../kernel/time.js'
import { type ClientState, type LifeCycleFacts, type LifeCyclePolicy, stateOf, useTime } from '../life-cycle/states.js'
import {
  type ClientOrigin,
  type Provenance,
  type TokenFingerprint,
  clientOriginOf,
  clientOrigins,
  isDeclaredSet,
  isStatementIssuer,
  isTokenFingerprint,
} from '../registration/provenance.js'
import { type RegisteredClient, type Version, entityTagOf } from '../registration/registered-client.js'

// A client as the operator lists it: without its credentials, which are not even decrypted.

export type ListedClient = LifeCycleFacts &
  Version & {
    readonly client_id: ClientId
    readonly client_id_issued_at: EpochSeconds
    /** The authority for the registration. */
    readonly registered_by: RegisteredBy
    readonly client_secret_expires_at?: EpochSeconds
    readonly provenance?: Provenance
    readonly metadata: ClientMetadata
    /** The UTC day of the last use; undefined before the first. */
    readonly last_use: EpochSeconds | undefined
  }

export const listedClient = (
  client: RegisteredClient,
  { last_use, parked }: Pick<ListedClient, 'last_use' | 'parked'>,
): ListedClient => {
  const { client_id, registration_id, version, client_id_issued_at, registered_by, metadata, secret } = client
  return {
    client_id,
    registration_id,
    version,
    client_id_issued_at,
    registered_by,
    metadata,
    last_use,
    parked,
    ...(secret === undefined ? {} : { client_secret_expires_at: secret.client_secret_expires_at }),
    ...(client.suspended_at === undefined ? {} : { suspended_at: client.suspended_at }),
    ...(client.approval === undefined ? {} : { approval: client.approval }),
    ...(client.provenance === undefined ? {} : { provenance: client.provenance }),
  }
}

// The texts of a client in which the operator searches, and the form in which texts are compared.

/**
 * Letters of either case are alike, and so are compatible characters (Unicode NFKC). Control characters count as spaces,
 * so that no text contains the separator of a store.
 */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\p{Cc}/gu, ' ')

// RFC 3986 §3: the host of the authority; for a private-use scheme (RFC 8252 §7.1), which names its owner, the scheme
const parts = /^([a-z][a-z0-9+.-]*):(?:\/\/(?:[^/?#@]*@)?([^/?#]*))?/i

const hostOf = (uri: string): ReadonlyArray<string> => {
  const [, scheme = '', host = ''] = parts.exec(uri) ?? []
  return [host === '' ? scheme : host].filter((text) => text !== '')
}

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
}

const searched = ['client_name', 'software_id', 'contacts']

const textsOfMember = ([name, value]: readonly [string, unknown]): ReadonlyArray<string> => {
  const member = memberOfVariant(name) ?? name
  if (searched.includes(member)) return textsIn(value)
  return member.endsWith('_uri') || member.endsWith('_uris') ? textsIn(value).flatMap(hostOf) : []
}

/** Folded: the client_id, the names in all languages, software_id, contacts, and the hosts of all URIs. */
export const searchTexts = ({
  client_id,
  metadata,
}: Pick<ListedClient, 'client_id' | 'metadata'>): ReadonlyArray<string> => [
  ...new Set([client_id, ...Object.entries(metadata).flatMap(textsOfMember)].map(foldedText)),
]

/** The number of characters that a search has at least: stores find texts by three. */
export const minSearch = 3
export const maxSearch = 100

/** The sequences of three characters of a folded text: each text that contains it has them all. */
export const trigramsOf = (folded: string): ReadonlyArray<string> => {
  const characters = Array.from(folded)
  return [...new Set(characters.slice(2).map((third, at) => `${characters[at]}${characters[at + 1]}${third}`))]
}

// Which clients an operator asks for. `matches` is the law: each store answers what it selects.

/** A state that a registered client can have. */
export type RegisteredState = Exclude<ClientState, 'gone'>

/** A client must satisfy all members that are there. */
export type ClientFilter = {
  /** A part of one of its texts (searchTexts). */
  readonly q?: string
  readonly registered_by?: RegisteredBy
  readonly token?: TokenFingerprint
  readonly statement_issuer?: string
  readonly declared?: string
  readonly origin?: ClientOrigin
  readonly state?: RegisteredState
  readonly software_id?: string
  /** Registered at that time or later. */
  readonly since?: EpochSeconds
  readonly never_used?: boolean
  /** Registered before that time, and not used since then. */
  readonly idle_since?: EpochSeconds
}

/** What the answer depends on beside the client. */
export type FilterFacts = { readonly now: EpochSeconds; readonly lifeCycle: LifeCyclePolicy }

/** Undefined for a value that the parameter cannot have. */
export type Read<A> = (text: string) => A | undefined

/** What a parameter must be, how its text is read, and whether a client satisfies it. */
type Filter<A> = {
  readonly text: string
  readonly read: Read<A>
  readonly holds: (wanted: A, client: ListedClient, facts: FilterFacts) => boolean
}

const oneOf = <Value extends string>(values: ReadonlyArray<Value>, holds: Filter<Value>['holds']): Filter<Value> => ({
  text: `one of ${values.join(', ')}`,
  read: (text) => values.find((each) => each === text),
  holds,
})

const time = (holds: Filter<EpochSeconds>['holds']): Filter<EpochSeconds> => ({
  text: 'a time of RFC 3339, a date, or seconds since 1970-01-01',
  read: timeOfText,
  holds,
})

export const filters: { readonly [Name in keyof Required<ClientFilter>]: Filter<NonNullable<ClientFilter[Name]>> } = {
  q: {
    text: `${minSearch} to ${maxSearch} characters`,
    read: (text) => {
      const { length } = Array.from(text.normalize('NFKC'))
      return text.length <= maxSearch && length >= minSearch ? text : undefined
    },
    holds: (text, client) => {
      const folded = foldedText(text)
      return searchTexts(client).some((each) => each.includes(folded))
    },
  },
  registered_by: {
    text: 'one of nobody, token, operator_token, master',
    read: (text) => (RegisteredBy.is(text) ? text : undefined),
    holds: (by, client) => client.registered_by === by,
  },
  token: {
    text: 'the id of an initial access token, or its first 12 characters',
    // The id of a token begins with its fingerprint.
    read: (text) => {
      const fingerprint = /^[A-Za-z0-9_-]{12,128}$/.test(text) ? text.slice(0, 12) : undefined
      return isTokenFingerprint(fingerprint) ? fingerprint : undefined
    },
    holds: (token, { provenance }) => provenance?.token === token,
  },
  statement_issuer: {
    text: 'the iss of software statements',
    read: (text) => (isStatementIssuer(text) ? text : undefined),
    holds: (issuer, { provenance }) => provenance?.statement_issuer === issuer,
  },
  declared: {
    text: 'the name of a set of declared clients: 1 to 64 of the characters A-Z a-z 0-9 . _ -',
    read: (text) => (isDeclaredSet(text) ? text : undefined),
    holds: (set, { provenance }) => provenance?.declared === set,
  },
  origin: oneOf(clientOrigins, (origin, client) => clientOriginOf(client) === origin),
  state: oneOf(
    ['unused', 'active', 'idle', 'parked', 'pending', 'refused', 'suspended'],
    (state, client, { now, lifeCycle }) => stateOf(client, client.last_use, now, lifeCycle) === state,
  ),
  software_id: {
    text: 'at most 2048 characters',
    read: (text) => (text !== '' && text.length <= 2048 ? text : undefined),
    holds: (id, { metadata }) => metadata.software_id === id,
  },
  since: time((since, client) => client.client_id_issued_at >= since),
  never_used: {
    text: 'true or false',
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    holds: (never, client) => (client.last_use === undefined) === never,
  },
  // A use is known to the day: one of that day counts as later.
  idle_since: time(
    (since, { client_id_issued_at, last_use }) =>
      client_id_issued_at < since && (last_use === undefined || last_use < useTime(since)),
  ),
}

export const filterNames: ReadonlyArray<keyof ClientFilter> = Object.keys(filters).filter(
  (name): name is keyof ClientFilter => Object.hasOwn(filters, name),
)

const satisfies = <Name extends keyof ClientFilter>(
  name: Name,
  wanted: ClientFilter[Name],
  client: ListedClient,
  facts: FilterFacts,
): boolean => wanted === undefined || filters[name].holds(wanted, client, facts)

/** Whether the filter selects the client. Total. */
export const matches =
  (filter: ClientFilter, facts: FilterFacts) =>
  (client: ListedClient): boolean =>
    filterNames.every((name) => satisfies(name, filter[name], client, facts))

// What the list says of a client: its metadata, and what the service knows beside it; never a credential.

export type DescribedClient = Readonly<Record<string, unknown>> & { readonly client_id: string }
export type FieldName = string

/** The members of a listed client that are not of its metadata. */
export const ownFields: ReadonlyArray<string> = [
  'client_id',
  'client_id_issued_at',
  'client_secret_expires_at',
  'state',
  'last_use',
  'suspended_at',
  'refusal_reason',
  'registered_by',
  'origin',
  'token',
  'statement_issuer',
  'declared',
  'entity_tag',
]

const isField = (name: string): boolean => ownFields.includes(name) || isMemberName(name)

/** The names in a text, separated by commas; undefined if one of them is of no member. */
export const fieldsOf = (text: string): ReadonlyArray<FieldName> | undefined => {
  const names = text.split(',')
  return names.length <= 100 && names.every(isField) ? names : undefined
}

const ownMembers = (client: ListedClient, { now, lifeCycle }: FilterFacts): Readonly<Record<string, unknown>> => ({
  client_id: client.client_id,
  client_id_issued_at: client.client_id_issued_at,
  client_secret_expires_at: client.client_secret_expires_at,
  state: stateOf(client, client.last_use, now, lifeCycle),
  last_use: client.last_use,
  suspended_at: client.suspended_at,
  refusal_reason: client.approval?.state === 'refused' ? client.approval.reason : undefined,
  registered_by: client.registered_by,
  origin: clientOriginOf(client),
  token: client.provenance?.token,
  statement_issuer: client.provenance?.statement_issuer,
  declared: client.provenance?.declared,
  entity_tag: entityTagOf(client),
})

/** The client with these members, and always its client_id; a field names the member in all languages. */
export const describeClient =
  (facts: FilterFacts, fields?: ReadonlyArray<FieldName>) =>
  (client: ListedClient): DescribedClient => {
    const all = [...Object.entries<unknown>({ ...client.metadata }), ...Object.entries(ownMembers(client, facts))]
    const isRequested = (name: string): boolean =>
      fields === undefined || fields.includes(memberOfVariant(name) ?? name)
    const requested = all.filter(([name, value]) => value !== undefined && isRequested(name))
    return { ...Object.fromEntries(requested), client_id: client.client_id }
  }

// Where a page ends: opaque to clients, so that a store may change what it counts.
const prefix = 'p1-'
const pattern = /^p1-([0-9a-z]{1,11})$/

export const positionText = (position: number): string => `${prefix}${position.toString(36)}`

/** The inverse of positionText; undefined for any other text. */
export const positionOf = (text: string): number | undefined => {
  const [, digits] = pattern.exec(text) ?? []
  const position = digits === undefined ? NaN : parseInt(digits, 36)
  return Number.isSafeInteger(position) && positionText(position) === text ? position : undefined
}

// Which clients a filter chooses, and what a list shows of them.
import { RegisteredBy } from '../authorization/credential.js'
import type { ClientId } from '../client/ids.js'
import { isMemberName } from '../client/members.js'
import { type ClientMetadata, memberNamed } from '../client/metadata.js'
import { type EpochSeconds, timeOfText } from '../kernel/time.js'
import {
  type ClientState,
  type LifeCycleFacts,
  type LifeCyclePolicy,
  clientStates,
  stateOf,
  useTime,
} from '../life-cycle/states.js'
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
  const member = memberNamed(name)
  if (searched.includes(member)) return textsIn(value)
  return member.endsWith('_uri') || member.endsWith('_uris') ? textsIn(value).flatMap(hostOf) : []
}

/** Folded: the client_id, the names in all languages, software_id, contacts, and the hosts of all URIs. */
export const searchTexts = ({
  client_id,
  metadata,
}: Pick<ListedClient, 'metadata'> & { readonly client_id: string }): ReadonlyArray<string> => [
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

/** What a parameter must be, how its text is read, and whether a thing satisfies it. */
type Filter<A, Thing, Facts> = {
  readonly text: string
  readonly read: Read<A>
  readonly holds: (wanted: A, thing: Thing, facts: Facts) => boolean
}

/** By the names of the members that a thing must satisfy. */
export type Filters<Wanted, Thing, Facts> = {
  readonly [Name in keyof Required<Wanted>]: Filter<NonNullable<Wanted[Name]>, Thing, Facts>
}

export const oneOf = <Value extends string, Thing, Facts>(
  values: ReadonlyArray<Value>,
  holds: Filter<Value, Thing, Facts>['holds'],
): Filter<Value, Thing, Facts> => ({
  text: `one of ${values.join(', ')}`,
  read: (text) => values.find((each) => each === text),
  holds,
})

export const time = <Thing, Facts>(
  holds: Filter<EpochSeconds, Thing, Facts>['holds'],
): Filter<EpochSeconds, Thing, Facts> => ({
  text: 'a time of RFC 3339, a date, or seconds since 1970-01-01',
  read: timeOfText,
  holds,
})

/** Whether a thing satisfies all members that are wanted. Total. */
export const selecting = <Wanted extends object, Thing, Facts>(
  all: Filters<Wanted, Thing, Facts>,
): ((wanted: Wanted, facts: Facts) => (thing: Thing) => boolean) => {
  const names = Object.keys(all).filter((name): name is keyof Wanted & string => Object.hasOwn(all, name))
  const satisfies = <Name extends keyof Wanted>(
    name: Name,
    value: Wanted[Name] | undefined,
    thing: Thing,
    facts: Facts,
  ): boolean => value === undefined || value === null || all[name].holds(value, thing, facts)
  return (wanted, facts) => (thing) => names.every((name) => satisfies(name, wanted[name], thing, facts))
}

export const filters: Filters<ClientFilter, ListedClient, FilterFacts> = {
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
    clientStates.filter((state): state is RegisteredState => state !== 'gone'),
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

/** Whether the filter selects the client. */
export const matches = selecting(filters)

// What the list says of a client: its metadata, and what the service knows beside it; never a credential.

export type DescribedClient = Readonly<Record<string, unknown>> & { readonly client_id: string }
export type FieldName = string

/** The members of a listed client that are not of its metadata. */
const ownMembers: Readonly<Record<string, (client: ListedClient, facts: FilterFacts) => unknown>> = {
  client_id: ({ client_id }) => client_id,
  client_id_issued_at: ({ client_id_issued_at }) => client_id_issued_at,
  client_secret_expires_at: ({ client_secret_expires_at }) => client_secret_expires_at,
  state: (client, { now, lifeCycle }) => stateOf(client, client.last_use, now, lifeCycle),
  last_use: ({ last_use }) => last_use,
  suspended_at: ({ suspended_at }) => suspended_at,
  refusal_reason: ({ approval }) => (approval?.state === 'refused' ? approval.reason : undefined),
  registered_by: ({ registered_by }) => registered_by,
  origin: clientOriginOf,
  token: ({ provenance }) => provenance?.token,
  statement_issuer: ({ provenance }) => provenance?.statement_issuer,
  declared: ({ provenance }) => provenance?.declared,
  entity_tag: entityTagOf,
}

export const ownFields: ReadonlyArray<string> = Object.keys(ownMembers)

const isField = (name: string): boolean => ownFields.includes(name) || isMemberName(name)

/** The names in a text, separated by commas; undefined if one of them is of no member. */
export const fieldsOf = (text: string): ReadonlyArray<FieldName> | undefined => {
  const names = text.split(',')
  return names.length <= 100 && names.every(isField) ? names : undefined
}

/** The client with these members, and always its client_id; a field names the member in all languages. */
export const describeClient =
  (facts: FilterFacts, fields?: ReadonlyArray<FieldName>) =>
  (client: ListedClient): DescribedClient => {
    const own = Object.entries(ownMembers).map(([name, of]) => [name, of(client, facts)] as const)
    const all = [...Object.entries<unknown>({ ...client.metadata }), ...own]
    const isRequested = (name: string): boolean => fields === undefined || fields.includes(memberNamed(name))
    const requested = all.filter(([name, value]) => value !== undefined && isRequested(name))
    return { ...Object.fromEntries(requested), client_id: client.client_id }
  }

/** Positions as texts with a prefix, and the inverse: undefined for any other text. */
export const positionsWith = (
  prefix: string,
): { readonly textOf: (position: number) => string; readonly positionOf: (text: string) => number | undefined } => {
  const textOf = (position: number): string => `${prefix}${position.toString(36)}`
  return {
    textOf,
    positionOf: (text) => {
      const position = parseInt(text.slice(prefix.length), 36)
      return Number.isSafeInteger(position) && position >= 0 && textOf(position) === text ? position : undefined
    },
  }
}

// Where a page ends: opaque to clients, so that a store may change what it counts.
export const { textOf: positionText, positionOf } = positionsWith('p1-')

/** Where the page after this one begins; left out after the last. */
export const nextPage = (next: number | undefined): { readonly next?: string } =>
  next === undefined ? {} : { next: positionText(next) }

// The operator's restrictions, as data.
import type { RegisteredBy } from '../authorization/credential.js'
import {
  type Ceilings,
  type Privileges,
  type ValueSet,
  allPrivileges,
  intersectionOfValues,
  missingValues,
} from '../authorization/registrant.js'
import { type ClientId, isDocumented, isNamedBySettings } from '../client/ids.js'

// The operator's restrictions of clients whose client_id is the URL of their metadata: docs/decisions/documents-of-clients.md.

/** What happens with a client whose document has changed: nothing, the end-user is asked again, or it is suspended. */
export const driftActions = ['go_on', 'ask', 'suspend'] as const
export type DriftAction = (typeof driftActions)[number]

/** How a document differs from the approved one, the least severe first. */
export const driftKinds = [
  'cosmetic',
  'unreachable',
  'name',
  'redirect_host',
  'keys_host',
  'weaker_method',
  'withdrawn',
] as const
export type DriftKind = (typeof driftKinds)[number]

export type DocumentPolicy = {
  /** Which documents are accepted: none, those of the lists, or all; never those of the lists of denied ones. */
  readonly accept: 'none' | 'listed' | 'any'
  /** A host, or * and a dot for all names below it. */
  readonly allowed_hosts: ReadonlyArray<string>
  readonly denied_hosts: ReadonlyArray<string>
  /** The beginning of a URL, with the slash after its host at least. */
  readonly allowed_url_prefixes: ReadonlyArray<string>
  readonly denied_url_prefixes: ReadonlyArray<string>
  /** The scope values that these clients may have; by default those of open registration. */
  readonly scope?: ReadonlyArray<string>
  /** How long a document may be used without another request, in seconds, whatever its server says. */
  readonly least_freshness: number
  readonly greatest_freshness: number
  /** How long an approved document counts since it was last seen, while its server is not reached. */
  readonly unreachable_for: number
  readonly on_drift: Readonly<Record<DriftKind, DriftAction>>
}

/** Whether the host is the one that an entry of such a list names, or below it. */
export const isHost = (host: string, each: string): boolean =>
  each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each

type Optional<Parts> = { readonly [Part in keyof Parts]?: Parts[Part] | undefined }

/** The part of a registration policy as it is written; what is left out has its default. */
export type GivenDocumentPolicy = Optional<Omit<DocumentPolicy, 'on_drift'>> & {
  readonly on_drift?: Optional<DocumentPolicy['on_drift']> | undefined
}

const defaultPolicy: DocumentPolicy = {
  accept: 'none',
  allowed_hosts: [],
  denied_hosts: [],
  allowed_url_prefixes: [],
  denied_url_prefixes: [],
  least_freshness: 300,
  greatest_freshness: 86_400,
  unreachable_for: 172_800,
  on_drift: {
    cosmetic: 'go_on',
    unreachable: 'go_on',
    name: 'ask',
    redirect_host: 'ask',
    keys_host: 'ask',
    weaker_method: 'ask',
    withdrawn: 'suspend',
  },
}

const over = <Parts extends object>(defaults: Parts, given: object): Parts => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined)),
})

/** With its defaults: without the part, no document is accepted. */
export const documentPolicy = ({ on_drift = {}, ...parts }: GivenDocumentPolicy = {}): DocumentPolicy => ({
  ...over(defaultPolicy, parts),
  on_drift: over(defaultPolicy.on_drift, on_drift),
})

// RFC 7591 §2, §2.3: which software is registered, and where a software statement must say so; docs/decisions/software-statements.md.

/** A software, of which any issuer may say that it is it, in any version, unless a list says otherwise. */
export type Software = {
  readonly software_id: string
  /** The issuers whose statements name it; then nothing else does. */
  readonly issuers?: ReadonlyArray<string> | undefined
  /** RFC 7591 §2: versions are texts without an order. */
  readonly allowed_versions?: ReadonlyArray<string> | undefined
  readonly denied_versions?: ReadonlyArray<string> | undefined
}

/** Which registrations must contain a software statement: none, those without a token, or all. */
export const requirements = ['never', 'open', 'always'] as const

/** Which software is registered: any, or that of the list alone. */
export const admissions = ['any', 'listed'] as const

export type SoftwarePolicy = {
  readonly required: (typeof requirements)[number]
  readonly accept: (typeof admissions)[number]
  readonly software: ReadonlyArray<Software>
}

/** The part of a registration policy as it is written; what is left out has its default. */
export type GivenSoftwarePolicy = Optional<SoftwarePolicy>

/** With its defaults: without the part, any software is registered, with a statement or without. */
export const softwarePolicy = ({
  required = 'never',
  accept = 'any',
  software = [],
}: GivenSoftwarePolicy = {}): SoftwarePolicy => ({ required, accept, software })

export const requiresStatement = ({ required }: SoftwarePolicy, registeredBy: RegisteredBy): boolean =>
  required === 'always' || (required === 'open' && registeredBy === 'nobody')

// Open Banking DCR 3.3: registration requests that are signed as a whole; docs/decisions/software-statements.md.

/** The ecosystems whose signed requests are understood. */
export const signedFormats = ['uk'] as const

export type SignedBodiesPolicy = {
  readonly format: (typeof signedFormats)[number]
  /** The identifiers of this service at the directory: aud of a request is one of them. */
  readonly audience: ReadonlyArray<string>
  /** Whether a request as JSON is refused; no, unless it is set. */
  readonly required?: boolean | undefined
}

// Clients that are registered, and wait until an operator approves them: docs/operate/year.md#life-cycle-of-a-client.

/** Those without a token, the documents of hosts that the policy does not list, and those with an initial access token. */
export const approvable = ['anonymous', 'documents', 'tokens'] as const

/** Whether a registration of this authority waits for an approval. An operator's own never does. */
export const needsApproval = (
  { approve = [] }: Pick<RegistrationPolicy, 'approve'>,
  registeredBy: RegisteredBy,
): boolean =>
  (registeredBy === 'nobody' && approve.includes('anonymous')) ||
  (registeredBy === 'token' && approve.includes('tokens'))

/** The operator's restrictions beyond the standards: plain data, read at start, applied to every POST and PUT. */
export type RegistrationPolicy = {
  /**
   * Hosts of redirection URIs: a name, or * and a dot for all names below it; a private-use scheme ends with a colon.
   */
  readonly allowed_redirect_hosts?: ReadonlyArray<string>
  /** Private-use schemes without a period, in place of the defaults. */
  readonly allowed_private_use_schemes?: ReadonlyArray<string>
  /** Whether a client that says web, and has private-use schemes, is registered as native in place of a refusal. */
  readonly replace_contradicted_application_type?: boolean
  /** Whether native clients without the implicit grant may have redirection URIs with http on hosts of private networks. */
  readonly allow_http_on_private_networks?: boolean
  readonly required_members?: ReadonlyArray<string>
  readonly allowed_token_endpoint_auth_methods?: ReadonlyArray<string>
  readonly allowed_algorithms?: ReadonlyArray<string>
  /** The response types that clients may have and ask for. */
  readonly allowed_response_types?: ReadonlyArray<string>
  /** The maximum number of clients. */
  readonly maximum_clients?: number
  /**
   * The maximum number of clients of open registration that were not used, and are not parked: docs/operate/year.md#life-cycle-of-a-client.
   */
  readonly maximum_unused_open_clients?: number
  /**
   * Whether a public client of open registration that registers again, with the same metadata from the same address, gets
   * the client_id of its unused registration; yes by default.
   */
  readonly reuse_unused_registrations?: boolean
  /** What waits for the approval of an operator; without it, nothing does. */
  readonly approve?: ReadonlyArray<(typeof approvable)[number]>
  /** The clients whose client_id is the URL of their metadata; without it, there are none. */
  readonly metadata_documents?: GivenDocumentPolicy
  /** RFC 7591 §2.3: which software is registered, and where a software statement must say so; without it, any. */
  readonly software_statements?: GivenSoftwarePolicy
  /** Registration requests that are JWTs as a whole; without it, requests are JSON. */
  readonly signed_bodies?: SignedBodiesPolicy
  /** The bounds of single clients; without it, a client has those of all. */
  readonly clients?: ClientEntries
  readonly ceilings: Ceilings
}

/** OAuth 2.0 Multiple Response Types §3: the words of a response type may come in any order, and are compared in one. */
export const inOrder = (responseType: string): string => responseType.split(' ').sort().join(' ')

export const allowsResponseType = (
  { allowed_response_types: allowed }: Pick<RegistrationPolicy, 'allowed_response_types'>,
  responseType: string,
): boolean => allowed === undefined || allowed.some((each) => inOrder(each) === inOrder(responseType))

export const noCeilings: Ceilings = { open: allPrivileges, managed: allPrivileges }

export const noPolicy: RegistrationPolicy = { ceilings: noCeilings }

// What the policy says about single clients, by their client_id.

/** The bounds of one client, within those of all; what is left out bounds nothing. */
export type ClientEntry = {
  /** The whole of it, byte by byte: that of a registration, or the URL of a document. */
  readonly client_id: ClientId
  /** The scope values that the client may have; of a document in place of those of metadata_documents. */
  readonly scope?: ReadonlyArray<string> | undefined
  /** RFC 8707 §2: the resources that it may ask for. */
  readonly resources?: ReadonlyArray<string> | undefined
  /** In seconds, at most; the settings of the service bound every client. */
  readonly access_token_lifetime?: number | undefined
  readonly refresh_token_lifetime?: number | undefined
  /** Whether end-users are not asked for consent where nothing demands it. */
  readonly skip_consent?: boolean | undefined
}

export type ClientEntries = ReadonlyArray<ClientEntry>

/** The entry about the client: no other spelling, host or beginning of its client_id counts. */
export const entryAbout = (entries: ClientEntries | undefined, client_id: string): ClientEntry | undefined =>
  entries?.find((each) => each.client_id === client_id)

/** Whether end-users are not asked about the client where nothing demands it. */
export const skipsConsent = (entries: ClientEntries | undefined, client_id: string): boolean =>
  entryAbout(entries, client_id)?.skip_consent === true

/** The scope values that the entry leaves to the client. */
export const scopeOfEntry = (entry: Pick<ClientEntry, 'scope'> | undefined): ValueSet => entry?.scope ?? 'any'

/** Of what was granted before, the scope values that the entry about the client permits at present. */
export const withinEntry = (
  entries: ClientEntries | undefined,
  client_id: string,
  scope: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const permitted = scopeOfEntry(entryAbout(entries, client_id))
  return permitted === 'any' ? scope : scope.filter((value) => permitted.includes(value))
}

/** The requested scope values that the entry about the client does not permit. */
export const beyondEntry = (
  entries: ClientEntries | undefined,
  client_id: string,
  { scope }: Pick<Privileges, 'scope'>,
): ValueSet => missingValues(scopeOfEntry(entryAbout(entries, client_id)), scope)

/** The lifetimes of the service, in seconds: no token lives longer, whatever an entry says. */
export type TokenLifetimes = { readonly access_token: number; readonly refresh_token: number }

export const lifetimeOf = (
  entries: ClientEntries,
  lifetimes: TokenLifetimes,
  client_id: string,
  token: keyof TokenLifetimes,
): number => Math.min(lifetimes[token], entryAbout(entries, client_id)?.[`${token}_lifetime`] ?? Infinity)

/** What the entry does, for operators: its place in the policy, its parts, and each of them as a sentence. */
export type ExplainedEntry = ClientEntry & {
  readonly pointer: string
  readonly effects: ReadonlyArray<string>
}

const listed = (values: ReadonlyArray<string>): string => (values.length === 0 ? 'none at all' : values.join(' '))

/** Who registered the client, where that is known. */
type Explained = { readonly client_id: string; readonly registered_by?: RegisteredBy }

// docs/operate/security.md#policy-by-client: another registrant could have taken the client_id.
const skipEffect = (entry: ClientEntry, { registered_by }: Explained): string =>
  registered_by === undefined || isNamedBySettings({ registered_by }) || isDocumented(entry)
    ? 'end-users are not asked for consent, unless something demands it'
    : 'skip_consent has no effect, and end-users are asked for consent: the master token did not register the client, and another registrant could have taken its client_id'

const effectsOf = (entry: ClientEntry, client: Explained): ReadonlyArray<string> => [
  ...(entry.scope === undefined ? [] : [`it gets no scope values but these: ${listed(entry.scope)}`]),
  ...(entry.resources === undefined ? [] : [`it gets tokens for no resources but these: ${listed(entry.resources)}`]),
  ...(entry.access_token_lifetime === undefined
    ? []
    : [`its access tokens live ${entry.access_token_lifetime} seconds, or less where the service says less`]),
  ...(entry.refresh_token_lifetime === undefined
    ? []
    : [`its refresh tokens live ${entry.refresh_token_lifetime} seconds, or less where the service says less`]),
  ...(entry.skip_consent === true ? [skipEffect(entry, client)] : []),
]

type Bounding = { readonly clients?: ClientEntries; readonly ceilings: { readonly open: Pick<Privileges, 'scope'> } }

/** Of the client; undefined where the policy has no entry about it. A document gets no scope values beyond the ceiling. */
export const explainEntry = ({ clients = [], ceilings }: Bounding, client: Explained): ExplainedEntry | undefined => {
  const entry = entryAbout(clients, client.client_id)
  if (entry === undefined) return undefined
  const scope = isDocumented(entry) ? intersectionOfValues(ceilings.open.scope, scopeOfEntry(entry)) : 'any'
  const inForce = entry.scope === undefined || scope === 'any' ? entry : { ...entry, scope }
  return { pointer: `/clients/${clients.indexOf(entry)}`, ...inForce, effects: effectsOf(inForce, client) }
}

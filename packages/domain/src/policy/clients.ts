// What the policy says about single clients, by their client_id.
import { type Privileges, type ValueSet, intersectionOfValues, missingValues } from '../authorization/registrant.js'
import { type ClientId, type RegisteredBy, isDocumented, isNamedBySettings } from '../client/ids.js'

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

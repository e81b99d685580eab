// Which clients an operator asks for. `matches` is the law: each store answers what it selects.
import type { RegisteredBy } from '../authorization/credential.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { type ClientState, type LifeCyclePolicy, stateOf, useTime } from '../life-cycle/client-state.js'
import { type ClientOrigin, type TokenFingerprint, clientOriginOf } from '../registration/provenance.js'
import type { ListedClient } from './listed-client.js'
import { foldedText, searchTexts } from './search-texts.js'

/** A state that a registered client can have. */
export type RegisteredState = Exclude<ClientState, 'gone'>

/** A client must satisfy all members that are there. */
export type ClientFilter = {
  /** A part of one of its texts (searchTexts). */
  readonly q?: string
  readonly registered_by?: RegisteredBy
  readonly token?: TokenFingerprint
  readonly statement_issuer?: string
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

type Holds<Name extends keyof ClientFilter> = (
  wanted: NonNullable<ClientFilter[Name]>,
  client: ListedClient,
  facts: FilterFacts,
) => boolean

const holds: { readonly [Name in keyof Required<ClientFilter>]: Holds<Name> } = {
  q: (text, client) => {
    const folded = foldedText(text)
    return searchTexts(client).some((each) => each.includes(folded))
  },
  registered_by: (by, client) => client.registered_by === by,
  token: (token, { provenance }) => provenance?.token === token,
  statement_issuer: (issuer, { provenance }) => provenance?.statement_issuer === issuer,
  origin: (origin, client) => clientOriginOf(client) === origin,
  state: (state, client, { now, lifeCycle }) => stateOf(client, client.last_use, now, lifeCycle) === state,
  software_id: (id, { metadata }) => metadata.software_id === id,
  since: (time, client) => client.client_id_issued_at >= time,
  never_used: (never, client) => (client.last_use === undefined) === never,
  // A use is known to the day: one of that day counts as later.
  idle_since: (time, { client_id_issued_at, last_use }) =>
    client_id_issued_at < time && (last_use === undefined || last_use < useTime(time)),
}

const satisfies = <Name extends keyof ClientFilter>(
  name: Name,
  wanted: ClientFilter[Name],
  client: ListedClient,
  facts: FilterFacts,
): boolean => wanted === undefined || holds[name](wanted, client, facts)

export const filterNames = [
  'q',
  'registered_by',
  'token',
  'statement_issuer',
  'origin',
  'state',
  'software_id',
  'since',
  'never_used',
  'idle_since',
] as const satisfies ReadonlyArray<keyof ClientFilter>

/** Whether the filter selects the client. Total. */
export const matches =
  (filter: ClientFilter, facts: FilterFacts) =>
  (client: ListedClient): boolean =>
    filterNames.every((name) => satisfies(name, filter[name], client, facts))

// What the list says of a client: its metadata, and what the service knows beside it; never a credential.
import { memberOfVariant } from '../client/language-tagged.js'
import { isMemberName } from '../client/members.js'
import { stateOf } from '../life-cycle/client-state.js'
import { entityTagOf } from '../registration/entity-tag.js'
import { clientOriginOf } from '../registration/provenance.js'
import type { FilterFacts } from './client-filter.js'
import type { ListedClient } from './listed-client.js'

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
  'registered_by',
  'origin',
  'token',
  'statement_issuer',
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
  registered_by: client.registered_by,
  origin: clientOriginOf(client),
  token: client.provenance?.token,
  statement_issuer: client.provenance?.statement_issuer,
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

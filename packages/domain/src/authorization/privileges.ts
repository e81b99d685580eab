import * as t from 'io-ts'
import { ValueSet, intersectionOfValues, missingValues, onlyValues, unionOfValues } from './value-set.js'

/**
 * What a registration may set, and equally what one asks to set: a lattice, the product of five.
 * Held and asked are values of this one type, and permission is `asked ≤ held`.
 */
export const Privileges = t.readonly(
  t.exact(
    t.type({
      grant_types: ValueSet,
      scope: ValueSet,
      data: t.boolean,
      preferred_client_id: t.boolean,
      preferred_client_secret: t.boolean,
    }),
  ),
  'Privileges',
)

export interface Privileges extends t.TypeOf<typeof Privileges> {}

/** Bottom: nothing. */
export const noPrivileges: Privileges = {
  grant_types: [],
  scope: [],
  data: false,
  preferred_client_id: false,
  preferred_client_secret: false,
}

/** Top: the master token, and the scope value client-reg. */
export const allPrivileges: Privileges = {
  grant_types: 'any',
  scope: 'any',
  data: true,
  preferred_client_id: true,
  preferred_client_secret: true,
}

export const grantPrivilege = (...grantTypes: ReadonlyArray<string>): Privileges => ({
  ...noPrivileges,
  grant_types: onlyValues(grantTypes),
})

/** The least that permits both. */
export const union = (one: Privileges, other: Privileges): Privileges => ({
  grant_types: unionOfValues(one.grant_types, other.grant_types),
  scope: unionOfValues(one.scope, other.scope),
  data: one.data || other.data,
  preferred_client_id: one.preferred_client_id || other.preferred_client_id,
  preferred_client_secret: one.preferred_client_secret || other.preferred_client_secret,
})

export const unionOf = (all: ReadonlyArray<Privileges>): Privileges => all.reduce(union, noPrivileges)

/** The most that both permit: what is left under a ceiling. */
export const intersection = (one: Privileges, other: Privileges): Privileges => ({
  grant_types: intersectionOfValues(one.grant_types, other.grant_types),
  scope: intersectionOfValues(one.scope, other.scope),
  data: one.data && other.data,
  preferred_client_id: one.preferred_client_id && other.preferred_client_id,
  preferred_client_secret: one.preferred_client_secret && other.preferred_client_secret,
})

/** The least that has to be added to what is held for the asked to be permitted. */
export const missingPrivileges =
  (held: Privileges) =>
  (asked: Privileges): Privileges => ({
    grant_types: missingValues(held.grant_types, asked.grant_types),
    scope: missingValues(held.scope, asked.scope),
    data: asked.data && !held.data,
    preferred_client_id: asked.preferred_client_id && !held.preferred_client_id,
    preferred_client_secret: asked.preferred_client_secret && !held.preferred_client_secret,
  })

export const isNothing = (privileges: Privileges): boolean =>
  privileges.grant_types.length === 0 &&
  privileges.scope.length === 0 &&
  !privileges.data &&
  !privileges.preferred_client_id &&
  !privileges.preferred_client_secret

/** The order of the lattice: asked ≤ held. */
export const permits =
  (held: Privileges) =>
  (asked: Privileges): boolean =>
    isNothing(missingPrivileges(held)(asked))

import * as t from 'io-ts'

/** A set of strings, or all of them: the lattice of subsets, with 'any' as its top and [] as its bottom. */
export const ValueSet = t.union([t.literal('any'), t.readonlyArray(t.string)], 'ValueSet')

export type ValueSet = t.TypeOf<typeof ValueSet>

export const onlyValues = (values: ReadonlyArray<string>): ValueSet =>
  values.length < 2 ? values : [...new Set(values)].sort()

export const unionOfValues = (one: ValueSet, other: ValueSet): ValueSet =>
  one === 'any' || other === 'any' ? 'any' : onlyValues([...one, ...other])

export const intersectionOfValues = (one: ValueSet, other: ValueSet): ValueSet => {
  if (one === 'any') return other
  return other === 'any' ? one : onlyValues(one.filter((value) => other.includes(value)))
}

/** The requested values that are not granted. */
export const missingValues = (granted: ValueSet, requested: ValueSet): ValueSet => {
  if (granted === 'any') return []
  return requested === 'any' ? 'any' : onlyValues(requested.filter((value) => !granted.includes(value)))
}

/**
 * Specification §5: privileges that are granted to a registrant or requested by a registration. They are a lattice, the product of five. A
 * registration is permitted where requested ≤ granted.
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

/** Bottom: no privileges. */
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

/** The least privileges that include both. */
export const union = (one: Privileges, other: Privileges): Privileges => ({
  grant_types: unionOfValues(one.grant_types, other.grant_types),
  scope: unionOfValues(one.scope, other.scope),
  data: one.data || other.data,
  preferred_client_id: one.preferred_client_id || other.preferred_client_id,
  preferred_client_secret: one.preferred_client_secret || other.preferred_client_secret,
})

export const unionOf = (all: ReadonlyArray<Privileges>): Privileges => all.reduce(union, noPrivileges)

/** The greatest privileges that both include: what a ceiling leaves. */
export const intersection = (one: Privileges, other: Privileges): Privileges => ({
  grant_types: intersectionOfValues(one.grant_types, other.grant_types),
  scope: intersectionOfValues(one.scope, other.scope),
  data: one.data && other.data,
  preferred_client_id: one.preferred_client_id && other.preferred_client_id,
  preferred_client_secret: one.preferred_client_secret && other.preferred_client_secret,
})

/** The least privileges to add to the granted ones so that the request is permitted. */
export const missingPrivileges =
  (granted: Privileges) =>
  (requested: Privileges): Privileges => ({
    grant_types: missingValues(granted.grant_types, requested.grant_types),
    scope: missingValues(granted.scope, requested.scope),
    data: requested.data && !granted.data,
    preferred_client_id: requested.preferred_client_id && !granted.preferred_client_id,
    preferred_client_secret: requested.preferred_client_secret && !granted.preferred_client_secret,
  })

export const isNothing = (privileges: Privileges): boolean =>
  privileges.grant_types.length === 0 &&
  privileges.scope.length === 0 &&
  !privileges.data &&
  !privileges.preferred_client_id &&
  !privileges.preferred_client_secret

/** The order of the lattice: requested ≤ granted. */
export const permits =
  (granted: Privileges) =>
  (requested: Privileges): boolean =>
    isNothing(missingPrivileges(granted)(requested))

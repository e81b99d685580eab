import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { fault } from '../codec/fault.js'
import { isSpaceDelimited, spaceDelimitedValues } from '../codec/space-delimited.js'
import type { InvalidScope } from '../errors.js'
import { type Privileges, type ValueSet, allPrivileges, grantPrivilege, noPrivileges, unionOf } from './privileges.js'

const scopeValuePrefix = 'client-reg:scope:'
const maxLength = 4096

/** Specification §5.1: the privileges of each scope value of an initial access token; client-reg:scope:VALUE adds one. */
const privilegesByScopeValue: Readonly<Record<string, Privileges>> = {
  'client-reg': allPrivileges,
  'client-reg:grant:code': grantPrivilege('authorization_code'),
  'client-reg:grant:implicit': grantPrivilege('implicit'),
  'client-reg:grant:refresh': grantPrivilege('refresh_token'),
  'client-reg:grant:password': grantPrivilege('password'),
  'client-reg:grant:client': grantPrivilege('client_credentials'),
  'client-reg:grant:jwt': grantPrivilege('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  'client-reg:grant:saml': grantPrivilege('urn:ietf:params:oauth:grant-type:saml2-bearer'),
  'client-reg:scope': { ...noPrivileges, scope: 'any' },
  'client-reg:data': { ...noPrivileges, data: true },
  'client-reg:set-id': { ...noPrivileges, preferred_client_id: true },
  'client-reg:set-secret': { ...noPrivileges, preferred_client_secret: true },
}

/** The fixed scope values; client-reg:scope:VALUE is open-ended. */
export const registrationScopeValues: ReadonlyArray<string> = Object.keys(privilegesByScopeValue)

/** The grant types that have scope values; every other grant type needs client-reg. */
export const namedGrantTypes: ReadonlyArray<string> = Object.values(privilegesByScopeValue).flatMap(
  ({ grant_types }) => (grant_types === 'any' ? [] : grant_types),
)

/** Whether the value is one of registration, with or without a suffix, or begins as one. */
export const isRegistrationScopeValue = (value: string): boolean => /^client-reg(?::|$)/.test(value)

const privilegesOfValue = (value: string): O.Option<Privileges> => {
  if (value.startsWith(scopeValuePrefix) && value.length > scopeValuePrefix.length)
    return O.some({ ...noPrivileges, scope: [value.slice(scopeValuePrefix.length)] })
  return Object.hasOwn(privilegesByScopeValue, value) ? O.fromNullable(privilegesByScopeValue[value]) : O.none
}

export type RegistrationScope = { readonly scope: string; readonly privileges: Privileges }

const invalidScope: InvalidScope = {
  error: 'invalid_scope',
  error_description: fault('registration-scope')('scope').description,
  errors: [fault('registration-scope')('scope')],
}

/** The scope of an initial access token: every value must be known, and each adds privileges. */
export const parseRegistrationScope = (input: unknown): E.Either<InvalidScope, RegistrationScope> => {
  if (typeof input !== 'string' || input.length > maxLength || !isSpaceDelimited(input)) return E.left(invalidScope)
  const values = spaceDelimitedValues(input)
  const granted = O.traverseArray(privilegesOfValue)(values)
  return O.isNone(granted)
    ? E.left(invalidScope)
    : E.right({ scope: values.join(' '), privileges: unionOf(granted.value) })
}

const singleGrant = (privileges: Privileges): string | undefined =>
  privileges.grant_types === 'any' ? undefined : privileges.grant_types[0]

const scopeValueOfGrant = (grantType: string): string =>
  registrationScopeValues.find((value) => singleGrant(privilegesByScopeValue[value] ?? noPrivileges) === grantType) ??
  'client-reg'

const scopeValuesOfGrants = (grantTypes: ValueSet): ReadonlyArray<string> =>
  grantTypes === 'any' ? ['client-reg'] : grantTypes.map(scopeValueOfGrant)

/**
 * The scope values that would grant the missing privileges. They are fixed values, so that an error text may show them.
 */
export const neededScopeValues = (missing: Privileges): ReadonlyArray<string> => [
  ...new Set([
    ...scopeValuesOfGrants(missing.grant_types),
    ...(missing.scope.length > 0 ? ['client-reg:scope'] : []),
    ...(missing.data ? ['client-reg:data'] : []),
    ...(missing.preferred_client_id ? ['client-reg:set-id'] : []),
    ...(missing.preferred_client_secret ? ['client-reg:set-secret'] : []),
  ]),
]

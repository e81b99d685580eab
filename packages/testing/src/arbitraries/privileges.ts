import * as fc from 'fast-check'
import {
  type Ceilings,
  type Privileges,
  type ValueSet,
  onlyValues,
  registrationScopeValues,
} from '@clientele/domain/authorization'

/** All grant types that scope values name, and one that none does. */
export const grantTypes = [
  'authorization_code',
  'implicit',
  'refresh_token',
  'password',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const

/** Few values, so that sets intersect; with a prefix and another case of one, and the word for all values. */
export const scopeValues = ['open', 'openid', 'OPENID', 'email', 'any'] as const

const valueSet = (values: ReadonlyArray<string>): fc.Arbitrary<ValueSet> =>
  fc.oneof(
    // Shrinks to fewer values, so that a counterexample has all values only if needed.
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.subarray([...values]).map(onlyValues) },
    { weight: 1, arbitrary: fc.constant<ValueSet>('any') },
  )

/** Any element of the lattice: all, some or no grant types and scope values, with or without the other privileges. */
export const privileges = (): fc.Arbitrary<Privileges> =>
  fc.record(
    {
      grant_types: valueSet(grantTypes),
      scope: valueSet(scopeValues),
      data: fc.boolean(),
      preferred_client_id: fc.boolean(),
      preferred_client_secret: fc.boolean(),
    },
    { noNullPrototype: true },
  )

/** Any maximum privileges without a token and with one. */
export const ceilings = (): fc.Arbitrary<Ceilings> =>
  fc.record({ open: privileges(), managed: privileges() }, { noNullPrototype: true })

const scopeCharacters = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).filter(
  (character) => character !== '"' && character !== '\\',
)

/** RFC 6749 §3.3: scope-token */
export const scopeToken = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...scopeValues),
    fc.string({ unit: fc.constantFrom(...scopeCharacters), minLength: 1, maxLength: 12 }),
  )

/** One scope value of an initial access token. */
export const registrationScopeValue = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...registrationScopeValues) },
    { weight: 1, arbitrary: scopeToken().map((value) => `client-reg:scope:${value}`) },
  )

/** The scope of an initial access token: some values, separated by blanks. */
export const registrationScope = (): fc.Arbitrary<string> =>
  fc.array(registrationScopeValue(), { minLength: 1, maxLength: 6 }).map((values) => values.join(' '))

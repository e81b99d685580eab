import * as fc from 'fast-check'
import { type Ceilings, type Privileges, type ValueSet, onlyValues } from '@clientele/domain/authorization'

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

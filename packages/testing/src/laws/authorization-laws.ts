import { accessLaws, managementLaws } from './access.js'
import type { AuthorizationLaw, AuthorizationRules } from './authorization-rules.js'
import { type BrokenLaw, type CheckParameters, brokenAmong } from './law.js'
import { registrationLaws, updateLaws } from './permission.js'
import { boundLaws, orderLaws } from './privileges.js'
import { ceilingLaws, registrantLaws } from './registrant.js'
import { registrationScopeLaws } from './registration-scope.js'

/** All laws of authorization: privileges, who is granted which, and what they permit. */
export const authorizationLaws: ReadonlyArray<AuthorizationLaw> = [
  ...orderLaws,
  ...boundLaws,
  ...registrationScopeLaws,
  ...registrantLaws,
  ...ceilingLaws,
  ...registrationLaws,
  ...updateLaws,
  ...accessLaws,
  ...managementLaws,
]

/** The laws of authorization that these rules violate. */
export const brokenLaws: (
  rules: AuthorizationRules,
  parameters?: CheckParameters,
) => ReadonlyArray<BrokenLaw<AuthorizationRules>> = brokenAmong(authorizationLaws)

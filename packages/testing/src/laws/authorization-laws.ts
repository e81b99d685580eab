import { accessLaws } from './access.js'
import type { AuthorizationLaw } from './authorization-rules.js'
import { boundLaws } from './bounds.js'
import { ceilingLaws } from './ceilings.js'
import { managementLaws } from './operators.js'
import { orderLaws } from './order.js'
import { registrantLaws } from './registrant.js'
import { registrationScopeLaws } from './registration-scope.js'
import { registrationLaws } from './registration.js'
import { updateLaws } from './update.js'

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

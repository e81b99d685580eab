import * as fc from 'fast-check'
import type { RegistrationMode } from '@clientele/domain/authorization'
import { noPolicy } from '@clientele/domain/policy'
import type { CredentialPolicy, RegistrationSettings } from '@clientele/domain/registration'
import { scopeValues } from './privileges.js'

/** Managed registration, or open registration with some scope values. */
export const registrationMode = (): fc.Arbitrary<RegistrationMode> =>
  fc.oneof(
    fc.constant<RegistrationMode>({ kind: 'managed' }),
    fc.subarray([...scopeValues]).map((scope): RegistrationMode => ({ kind: 'open', scope })),
  )

/** The lifetime of secrets, and the credentials that an update renews. */
export const credentialPolicy = (): fc.Arbitrary<CredentialPolicy> =>
  fc.record(
    {
      clientSecretLifetime: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000_000 })),
      rotateRegistrationAccessTokenOnUpdate: fc.boolean(),
      registrationAccessTokenGrace: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 86_400 })),
      rotateClientSecretOnUpdate: fc.boolean(),
    },
    { noNullPrototype: true },
  )

/** All settings of registration, without a policy of the operator. */
export const registrationSettings = (): fc.Arbitrary<RegistrationSettings> =>
  fc.record(
    {
      mode: registrationMode(),
      policy: fc.constant(noPolicy),
      credentials: credentialPolicy(),
      issuer: fc.constant('https://op.example'),
      registrationEndpoint: fc.constantFrom('https://op.example/clients', 'http://127.0.0.1:8080/clients'),
      outboundFetches: fc.boolean(),
      initialAccessTokenLifetime: fc.integer({ min: 1, max: 2_592_000 }),
    },
    { noNullPrototype: true },
  )

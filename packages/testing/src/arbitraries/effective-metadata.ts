import * as fc from 'fast-check'
import type { ClientMetadata } from '@clientele/domain/client'
import type { RegistrationRequest } from '@clientele/domain/registration'
import { validate } from '../rule-book.js'
import { validClientMetadata } from './client-metadata.js'
import { clientId } from './generated-credentials.js'

/** Valid client metadata with its defaults. */
export const effectiveMetadata = (): fc.Arbitrary<ClientMetadata> =>
  validClientMetadata().map((body) => validate(body).metadata)

/** A registration request with valid metadata, with or without a preset identifier and secret. */
export const registrationRequest = (): fc.Arbitrary<RegistrationRequest> =>
  fc.record(
    {
      metadata: effectiveMetadata(),
      preferred_client_id: fc.option(clientId(), { nil: undefined }),
      preferred_client_secret: fc.option(fc.constant('s'.repeat(32)), { nil: undefined }),
    },
    { noNullPrototype: true },
  )

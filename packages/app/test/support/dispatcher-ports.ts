import { inMemoryStore } from '@clientele/adapters-memory'
import { createCredentialGenerator } from '@clientele/adapters-jose/node'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { unaudited } from '@clientele/domain/operations'
import type { PendingNotifications } from '@clientele/domain/ports'
import { exampleHash } from '@clientele/testing'
import type { LogoutDispatcherOptions } from '../../src/running/logout-dispatcher.js'

const generator = createCredentialGenerator(
  { clientId: 20, clientSecret: 43, registrationAccessToken: 43 },
  exampleHash,
)

/** The ports of a dispatcher of these notifications; without a registry, no client is registered. */
export const dispatcherPorts = (
  pending: PendingNotifications,
  now: () => EpochSeconds,
  { registry } = inMemoryStore(),
): LogoutDispatcherOptions['ports'] => ({ ...registry, ...pending, ...generator, ...unaudited, now })

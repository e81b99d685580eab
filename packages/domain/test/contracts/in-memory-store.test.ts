import { inMemoryStore } from '../support/in-memory/in-memory-store.js'
import { clientAuthorizationsContract } from './client-authorizations-contract.js'
import { clientRegistryContract } from './client-registry-contract.js'
import { clientLimitsContract } from './client-limits-contract.js'
import { clientRemovalContract } from './client-removal-contract.js'
import { initialAccessTokensContract } from './initial-access-tokens-contract.js'
import { endUserSessionsContract } from './end-user-sessions-contract.js'
import { keyRingsContract } from './key-rings-contract.js'
import { logoutOutboxContract } from './logout-outbox-contract.js'
import { logoutRemovalContract } from './logout-removal-contract.js'
import { logoutsContract } from './logouts-contract.js'
import type { OpenPorts } from './open-ports.js'

const open: OpenPorts = async () => ({ ...inMemoryStore(), close: async () => undefined })

for (const contract of [
  clientRegistryContract,
  clientLimitsContract,
  clientRemovalContract,
  initialAccessTokensContract,
  clientAuthorizationsContract,
  keyRingsContract,
  endUserSessionsContract,
  logoutsContract,
  logoutOutboxContract,
  logoutRemovalContract,
])
  contract('in memory', open).run()

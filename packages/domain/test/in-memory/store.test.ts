import { inMemoryStore } from '../../src/in-memory/store.js'
import { clientAuthorizationsContract } from '../../src/testing/contracts/client-authorizations-contract.js'
import { clientRegistryContract } from '../../src/testing/contracts/client-registry-contract.js'
import { clientLimitsContract } from '../../src/testing/contracts/client-limits-contract.js'
import { clientRemovalContract } from '../../src/testing/contracts/client-removal-contract.js'
import { initialAccessTokensContract } from '../../src/testing/contracts/initial-access-tokens-contract.js'
import { endUserSessionsContract } from '../../src/testing/contracts/end-user-sessions-contract.js'
import { foreignKeysContract } from '../../src/testing/contracts/foreign-keys-contract.js'
import { keyRingsContract } from '../../src/testing/contracts/key-rings-contract.js'
import { logoutOutboxContract } from '../../src/testing/contracts/logout-outbox-contract.js'
import { logoutRemovalContract } from '../../src/testing/contracts/logout-removal-contract.js'
import { logoutsContract } from '../../src/testing/contracts/logouts-contract.js'
import type { OpenPorts } from '../../src/testing/contracts/open-ports.js'

const open: OpenPorts = async () => ({ ...inMemoryStore(), close: async () => undefined })

for (const contract of [
  clientRegistryContract,
  clientLimitsContract,
  clientRemovalContract,
  initialAccessTokensContract,
  clientAuthorizationsContract,
  keyRingsContract,
  foreignKeysContract,
  endUserSessionsContract,
  logoutsContract,
  logoutOutboxContract,
  logoutRemovalContract,
])
  contract('in memory', open).run()

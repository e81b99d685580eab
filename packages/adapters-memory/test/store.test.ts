import { inMemoryStore } from '../src/store.js'
import {
  clientAuthorizationsContract,
  clientLimitsContract,
  clientRegistryContract,
  clientRemovalContract,
  endUserSessionsContract,
  foreignKeysContract,
  initialAccessTokensContract,
  keyRingsContract,
  logoutOutboxContract,
  logoutRemovalContract,
  logoutsContract,
  type OpenPorts,
} from '@clientele/testing'

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

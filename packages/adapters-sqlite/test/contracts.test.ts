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
} from '@clientele/testing'
import { openPorts } from './support/temporary-store.js'

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
  contract('on SQLite', openPorts).run()

import {
  clientAuthorizationsContract,
  clientRegistryContract,
  clientLimitsContract,
  clientRemovalContract,
  initialAccessTokensContract,
  endUserSessionsContract,
  foreignKeysContract,
  keyRingsContract,
  logoutOutboxContract,
  logoutRemovalContract,
  logoutsContract,
} from '@clientele/domain/testing'
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

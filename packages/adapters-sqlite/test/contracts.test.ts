import {
  clientAuthorizationsContract,
  clientRegistryContract,
  clientLimitsContract,
  clientRemovalContract,
  initialAccessTokensContract,
} from '@clientele/domain/testing'
import { openPorts } from './support/temporary-store.js'

for (const contract of [
  clientRegistryContract,
  clientLimitsContract,
  clientRemovalContract,
  initialAccessTokensContract,
  clientAuthorizationsContract,
])
  contract('on SQLite', openPorts).run()

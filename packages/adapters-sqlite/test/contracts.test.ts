import {
  clientAuthorizationsContract,
  clientRegistryContract,
  clientLimitsContract,
  clientRemovalContract,
  initialAccessTokensContract,
  keyRingsContract,
} from '@clientele/domain/testing'
import { openPorts } from './support/temporary-store.js'

for (const contract of [
  clientRegistryContract,
  clientLimitsContract,
  clientRemovalContract,
  initialAccessTokensContract,
  clientAuthorizationsContract,
  keyRingsContract,
])
  contract('on SQLite', openPorts).run()

import {
  clientAuthorizationsContract,
  clientRegistryContract,
  clientRemovalContract,
  initialAccessTokensContract,
} from '@clientele/domain/testing'
import { openPorts } from './support/temporary-store.js'

for (const contract of [
  clientRegistryContract,
  clientRemovalContract,
  initialAccessTokensContract,
  clientAuthorizationsContract,
])
  contract('on SQLite', openPorts).run()

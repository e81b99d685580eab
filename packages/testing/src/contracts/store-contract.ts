import { clientAuthorizationsContract } from './client-authorizations-contract.js'
import { clientLimitsContract } from './client-limits-contract.js'
import { clientRegistryContract } from './client-registry-contract.js'
import { clientRemovalContract } from './client-removal-contract.js'
import type { Contract } from './contract.js'
import { endUserSessionsContract } from './end-user-sessions-contract.js'
import { foreignKeysContract } from './foreign-keys-contract.js'
import { initialAccessTokensContract } from './initial-access-tokens-contract.js'
import { keyRingsContract } from './key-rings-contract.js'
import { leasesContract } from './leases-contract.js'
import { logoutOutboxContract } from './logout-outbox-contract.js'
import { logoutRemovalContract } from './logout-removal-contract.js'
import { logoutsContract } from './logouts-contract.js'
import { notificationClaimsContract } from './notification-claims-contract.js'
import type { OpenStore } from './open-store.js'
import { openedStoreContract } from './opened-store-contract.js'

/** Every promise of a store, over two handles on it. */
export const storeContract = (name: string, open: OpenStore): Contract =>
  [
    clientRegistryContract,
    clientLimitsContract,
    clientRemovalContract,
    initialAccessTokensContract,
    clientAuthorizationsContract,
    endUserSessionsContract,
    logoutsContract,
    logoutOutboxContract,
    notificationClaimsContract,
    logoutRemovalContract,
    keyRingsContract,
    foreignKeysContract,
    openedStoreContract,
    leasesContract,
  ].flatMap((contract) => contract(name, open))

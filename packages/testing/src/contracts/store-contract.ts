import { artefactEndsContract } from './artefact-ends-contract.js'
import { artefactsContract } from './artefacts-contract.js'
import { budgetsContract } from './budgets-contract.js'
import { censusContract } from './census-contract.js'
import { auditContract } from './audit-contract.js'
import { auditLogContract } from './audit-log-contract.js'
import { auditOperationsContract } from './audit-operations-contract.js'
import { clientAuthorizationsContract } from './client-authorizations-contract.js'
import { clientExportContract } from './client-export-contract.js'
import { clientImportContract } from './client-import-contract.js'
import { clientLimitsContract } from './client-limits-contract.js'
import { clientRegistryContract } from './client-registry-contract.js'
import { clientRemovalContract } from './client-removal-contract.js'
import { clientStatesContract } from './client-states-contract.js'
import { clientSearchContract } from './client-search-contract.js'
import { clientUsesContract } from './client-uses-contract.js'
import { consentsContract } from './consents-contract.js'
import type { Contract } from './contract.js'
import { endUserSessionsContract } from './end-user-sessions-contract.js'
import { foreignKeysContract } from './foreign-keys-contract.js'
import { initialAccessTokensContract } from './initial-access-tokens-contract.js'
import { keyedRegistrationsContract } from './keyed-registrations-contract.js'
import { keyRingsContract } from './key-rings-contract.js'
import { leasesContract } from './leases-contract.js'
import { pendingNotificationsContract } from './pending-notifications-contract.js'
import { logoutRemovalContract } from './logout-removal-contract.js'
import { sessionTerminationContract } from './session-termination-contract.js'
import { notificationClaimsContract } from './notification-claims-contract.js'
import type { OpenStore } from './open-store.js'
import { operatorTokensContract } from './operator-tokens-contract.js'
import { openedStoreContract } from './opened-store-contract.js'
import { precedingTokensContract } from './preceding-tokens-contract.js'
import { providerEventsContract } from './provider-events-contract.js'
import { refreshTokensContract } from './refresh-tokens-contract.js'
import { registrationsContract } from './registrations-contract.js'

/** All promises of a store, over two handles on it. */
export const storeContract = (name: string, open: OpenStore): Contract =>
  [
    clientRegistryContract,
    clientImportContract,
    clientExportContract,
    clientLimitsContract,
    clientRemovalContract,
    precedingTokensContract,
    keyedRegistrationsContract,
    clientUsesContract,
    clientStatesContract,
    clientSearchContract,
    initialAccessTokensContract,
    operatorTokensContract,
    clientAuthorizationsContract,
    artefactsContract,
    artefactEndsContract,
    refreshTokensContract,
    consentsContract,
    registrationsContract,
    endUserSessionsContract,
    sessionTerminationContract,
    pendingNotificationsContract,
    notificationClaimsContract,
    logoutRemovalContract,
    keyRingsContract,
    foreignKeysContract,
    openedStoreContract,
    leasesContract,
    budgetsContract,
    providerEventsContract,
    censusContract,
    auditContract,
    auditLogContract,
    auditOperationsContract,
  ].flatMap((contract) => contract(name, open))

import { clientStatesContract } from './life-cycle/client-states.js'
import { auditContract } from './contracts/audit.js'
import { belongingsContract } from './contracts/belongings.js'
import { changesContract } from './contracts/changes.js'
import { clientLifeContract } from './contracts/client-life.js'
import { clientsContract } from './contracts/clients.js'
import { type Contract, type OpenStore, contracts } from './contracts/contract.js'
import { connectionsContract } from './contracts/connections.js'
import { grantsContract } from './contracts/grants.js'
import { importsContract } from './contracts/imports.js'
import { keysContract } from './contracts/keys.js'
import { refusalsContract } from './contracts/refusals.js'
import { notificationsContract } from './contracts/notifications.js'
import { searchContract } from './contracts/search.js'
import { secretUsesContract } from './contracts/secret-uses.js'
import { sessionsContract } from './contracts/sessions.js'
import { sharedWorkContract } from './contracts/shared-work.js'
import { tablesContract } from './contracts/tables.js'
import { openedStoreContract } from './contracts/sealing.js'

const ofPorts = contracts(
  tablesContract,
  belongingsContract,
  changesContract,
  clientsContract,
  clientLifeContract,
  clientStatesContract,
  importsContract,
  searchContract,
  grantsContract,
  connectionsContract,
  sessionsContract,
  notificationsContract,
  keysContract,
  auditContract,
  refusalsContract,
  secretUsesContract,
  sharedWorkContract,
)

/** All promises of a store, over two handles on it. */
export const storeContract = (name: string, open: OpenStore): Contract => [
  ...ofPorts(name, open),
  ...openedStoreContract(name, open),
]

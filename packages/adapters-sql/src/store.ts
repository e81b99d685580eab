// A store on an engine: all ports but those that the database itself has.
import type { EpochSeconds, Unavailable } from '@clientele/domain/kernel'
import type { Encryption, Store } from '@clientele/domain/ports'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { createArtefacts } from './artefacts.js'
import { createAuditLog } from './audit-log.js'
import { createBudgets } from './budgets.js'
import { createCensus } from './census.js'
import { createClientAuthorizations } from './client-authorizations.js'
import { createClientRegistry } from './client-registry.js'
import { createClientSearch } from './client-search.js'
import { createClientUses } from './client-uses.js'
import { createConsents } from './consents.js'
import { createForeignKeys } from './foreign-keys.js'
import { createInitialAccessTokens } from './initial-access-tokens.js'
import { createKeyRings } from './key-rings.js'
import { createLeases } from './leases.js'
import { createPendingNotifications } from './notifications.js'
import { createOperatorTokens } from './operator-tokens.js'
import { createProviderEvents } from './provider-events.js'
import { createEndUserSessions, createSessionTermination } from './sessions.js'
import { createSealAnew } from './seal-anew.js'
import type { Engine } from './verb.js'

/** What not every database has. */
export type Particulars = {
  /** A clock for keys, in place of that of the database. */
  readonly now?: (() => EpochSeconds) | undefined
  /** The octets of a log beside the file. */
  readonly logBytes?: TE.TaskEither<Unavailable, number>
}

export const storeOn = (
  engine: Engine,
  encryption: Encryption,
  digestKey: string,
  { now, logBytes }: Particulars = {},
): Omit<Store, 'check' | 'close' | 'instances'> => ({
  digestKey,
  artefacts: createArtefacts(engine, encryption),
  auditLog: createAuditLog(engine),
  budgets: createBudgets(engine),
  census: createCensus(engine, logBytes),
  authorizations: createClientAuthorizations(engine, encryption),
  registry: createClientRegistry(engine, encryption),
  clientSearch: createClientSearch(engine),
  clientUses: createClientUses(engine, encryption),
  consents: createConsents(engine, encryption),
  endUserSessions: createEndUserSessions(engine, encryption),
  foreignKeys: createForeignKeys(engine, encryption),
  initialAccessTokens: createInitialAccessTokens(engine, encryption),
  keyRings: createKeyRings(engine, encryption, now),
  leases: createLeases(engine),
  operatorTokens: createOperatorTokens(engine, encryption),
  pendingNotifications: createPendingNotifications(engine),
  providerEvents: createProviderEvents(engine),
  sessionTermination: createSessionTermination(engine),
  ...createSealAnew(engine, encryption),
})

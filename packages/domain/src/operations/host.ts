// What operations ask for, put together once for each host: its routes, its commands and its own work take it whole.
import type { HashText } from '../authorization/credential.js'
import type { CredentialGenerator, Hashing, LifeCycle, Turns } from '../ports/outside.js'
import type { StoragePorts, Tombstones } from '../ports/store.js'
import type { AuditWriting } from './audit.js'
import { tombstones } from './remove.js'

const ofStore = (store: StoragePorts) => ({
  ...store.registry,
  ...store.clientUses,
  ...store.clientSearch,
  ...store.connections,
  ...store.initialAccessTokens,
  ...store.operatorTokens,
  ...store.endUserSessions,
  ...store.sessionTermination,
  ...store.pendingNotifications,
  ...store.refusals,
  ...store.secretUses,
})

/** The store, tokens, time and turns of a service, and how it treats unused clients. */
export type OperationPorts = ReturnType<typeof ofStore> &
  CredentialGenerator &
  Hashing &
  Turns &
  Tombstones &
  LifeCycle &
  AuditWriting

type Host = LifeCycle & {
  readonly store: StoragePorts
  readonly generator: CredentialGenerator
  readonly hashToken: HashText
  readonly turns: Turns
  /** `unaudited` for a host without an audit log. */
  readonly audit: AuditWriting
}

export const operationPorts = ({
  store,
  generator,
  hashToken,
  turns,
  audit,
  lifeCycle,
  removes,
}: Host): OperationPorts => ({
  ...ofStore(store),
  ...generator,
  ...turns,
  ...tombstones(lifeCycle, { now: generator.now, hashToken }),
  ...audit,
  hashToken,
  lifeCycle,
  removes,
})

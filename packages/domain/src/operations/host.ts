// What operations ask for, put together once for each host: its routes, its commands and its own work take it whole.
import type { HashText } from '../authorization/credential.js'
import type { CredentialGenerator, Hashing, LifeCycle, Turns } from '../ports/outside.js'
import type {
  ClientRegistry,
  ClientSearch,
  ClientUses,
  Connections,
  EndUserSessions,
  InitialAccessTokens,
  OperatorTokens,
  PendingNotifications,
  Refusals,
  SecretUses,
  SessionTermination,
  StoragePorts,
  Tombstones,
} from '../ports/store.js'
import type { AuditWriting } from './audit.js'
import { tombstones } from './remove.js'

/** The store, tokens, time and turns of a service, and how it treats unused clients. */
export type OperationPorts = ClientRegistry &
  ClientUses &
  ClientSearch &
  Connections &
  InitialAccessTokens &
  OperatorTokens &
  EndUserSessions &
  SessionTermination &
  PendingNotifications &
  Refusals &
  SecretUses &
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
  ...generator,
  ...turns,
  ...tombstones(lifeCycle, { now: generator.now, hashToken }),
  ...audit,
  hashToken,
  lifeCycle,
  removes,
})

// What is exported of the life cycle of a client: docs/life-cycle.md.
export {
  clientStates,
  defaultLifeCycle,
  isOpenClient,
  restorableSince,
  stateOf,
  useTime,
  useUnit,
  waitsSince,
  type ClientState,
  type LifeCycleFacts,
  type LifeCyclePolicy,
} from '../life-cycle/client-state.js'
export {
  daysLookedAt,
  dueParking,
  dueRemoval,
  dueRemovalIn,
  earliestParking,
  noticeOf,
  observedDaysKept,
  type DueParking,
  type DueRemoval,
} from '../life-cycle/observed-days.js'
export {
  answerAt,
  answersOfDoors,
  doors,
  isSuspended,
  withdrawnTexts,
  type Door,
  type DoorAnswers,
  type Withdrawn,
} from '../life-cycle/doors.js'
export {
  answersToDocuments,
  documentStates,
  type DocumentDoorAnswers,
  type DocumentState,
} from '../life-cycle/document-doors.js'
export { fingerprintText, repeats } from '../registration/repeated-registration.js'
export { rememberedId, tombstones, type MakeTombstone, type TombstonePorts } from '../use-cases/steps/tombstone.js'
export {
  minStoredTombstones,
  type ClientUse,
  type ClientUses,
  type RemovedClient,
  type RemovedClients,
  type Tombstone,
} from '../ports/client-uses.js'
export {
  announceRemovals,
  listRemovedClients,
  maxAnnounced,
  restoreClient,
  type AnnounceRemovalsPorts,
  type AnnouncedRemovals,
  type RemovalsPage,
  type RemovedClientsPorts,
  type RestoreClientPorts,
  type RestoreClientRequest,
} from '../use-cases/removed-clients.js'
export {
  resumeClient,
  suspendClient,
  type ChangedSuspension,
  type SuspendClientError,
  type SuspendClientPorts,
  type SuspendClientRequest,
} from '../use-cases/suspend-client.js'
export { maxSwept, sweepClients, type SweepClientsPorts, type Swept } from '../use-cases/sweep-clients.js'
export { resumedClient, suspendedClient } from '../registration/registered-client.js'
export { type RepeatedRegistrationPorts } from '../use-cases/steps/add-or-repeat.js'

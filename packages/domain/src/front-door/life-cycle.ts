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
} from '../life-cycle/states.js'
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
} from '../life-cycle/states.js'
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
} from '../life-cycle/doors.js'
export { fingerprintText, repeats } from '../registration/repetition.js'
export { rememberedId, tombstones, type MakeTombstone, type TombstonePorts } from '../operations/remove.js'
export {
  minStoredTombstones,
  type ClientUse,
  type ClientUses,
  type RemovedClient,
  type RemovedClients,
  type Tombstone,
} from '../ports/store.js'
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
} from '../operations/life-cycle.js'
export {
  resumeClient,
  suspendClient,
  type ChangedSuspension,
  type SuspendClientError,
  type SuspendClientPorts,
  type SuspendClientRequest,
} from '../operations/change.js'
export { maxSwept, sweepClients, type SweepClientsPorts, type Swept } from '../operations/life-cycle.js'
export { resumedClient, suspendedClient } from '../registration/registered-client.js'
export { type RepeatedRegistrationPorts } from '../operations/repetition.js'

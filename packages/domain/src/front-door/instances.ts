// Several instances on one store
export { AnnouncedInstance, Instance, announcementInterval, maxUnseen } from '../instances/instances.js'
export {
  permitInstance,
  permitKeys,
  settingDifferences,
  type EncryptionKeyFingerprints,
  type ExcludedBySchema,
  type InstanceRefusal,
  type KeysRefusal,
  type SettingDifference,
} from '../instances/instances.js'
export {
  clockDifference,
  decideClock,
  maxClockDifference,
  reportedClockDifference,
  type ClockReading,
  type ClockVerdict,
} from '../kernel/time.js'
export { type Announcement, type Instances } from '../ports/store.js'

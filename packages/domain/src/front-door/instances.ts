// Several instances on one store
export { AnnouncedInstance, Instance, announcementInterval, maxUnseen } from '../instances/instance.js'
export {
  permitInstance,
  permitKeys,
  settingDifferences,
  type EncryptionKeyFingerprints,
  type ExcludedBySchema,
  type InstanceRefusal,
  type KeysRefusal,
  type SettingDifference,
} from '../instances/permit-instance.js'
export {
  clockDifference,
  decideClock,
  maxClockDifference,
  reportedClockDifference,
  type ClockReading,
  type ClockVerdict,
} from '../instances/clock-difference.js'
export { type Announcement, type Instances } from '../ports/instances.js'

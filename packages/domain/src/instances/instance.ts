// Several instances of the service share one store, in which each of them announces itself.
import * as t from 'io-ts'
import { EpochSeconds } from '../codec/epoch-seconds.js'

/** A running process of the service. */
export const Instance = t.readonly(
  t.type({
    /** Random for each start. */
    id: t.string,
    /** The version of the product. */
    version: t.string,
    started_at: EpochSeconds,
    /** The fingerprint of the encryption key that seals. */
    seals_with: t.string,
    /** The fingerprints of all of its encryption keys. */
    opens_with: t.readonlyArray(t.string),
    /** By name, a digest of each setting that all instances must agree on. */
    settings: t.readonly(t.record(t.string, t.string)),
  }),
  'Instance',
)
export interface Instance extends t.TypeOf<typeof Instance> {}

/** An instance that has announced itself, with the time of its last announcement by the store's clock. */
export const AnnouncedInstance = t.intersection([Instance, t.type({ seen_at: EpochSeconds })], 'AnnouncedInstance')
export type AnnouncedInstance = t.TypeOf<typeof AnnouncedInstance>

/** In seconds: the time between two announcements of an instance. */
export const announcementInterval = 10

/** In seconds: an instance that was not seen for longer is not counted as running. */
export const maxUnseen = 30

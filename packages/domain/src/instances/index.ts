import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { ownMember } from '../kernel/json-object.js'
import { EpochSeconds } from '../kernel/time.js'

// Several instances of the service share one store, in which each of them announces itself.

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

// Instances that share a store open what the others seal, and agree on the settings that their promises depend on.

/** The encryption keys of an instance, or of a command beside the instances. */
export type EncryptionKeyFingerprints = Pick<Instance, 'seals_with' | 'opens_with'>

/** The reason why an instance may not run beside those of the ids. */
export type KeysRefusal = {
  readonly error: 'others_cannot_open' | 'cannot_open_others'
  readonly ids: ReadonlyArray<string>
}

/** The store has this schema now, beside which the version of the instance may not go on. */
export type ExcludedBySchema = { readonly error: 'excluded_by_schema'; readonly schema: number }

export type InstanceRefusal = KeysRefusal | ExcludedBySchema

/** A setting, and the ids of the instances where it has another value. */
export type SettingDifference = { readonly setting: string; readonly ids: ReadonlyArray<string> }

const canOpen = (reader: EncryptionKeyFingerprints, writer: EncryptionKeyFingerprints): boolean =>
  reader.opens_with.includes(writer.seals_with)

const idsWhere = (running: ReadonlyArray<Instance>, holds: (each: Instance) => boolean): ReadonlyArray<string> =>
  running.filter(holds).map(({ id }) => id)

/** Refuses keys with which one would seal what the other cannot open. */
export const permitKeys = (
  own: EncryptionKeyFingerprints,
  running: ReadonlyArray<Instance>,
): E.Either<KeysRefusal, void> => {
  const unable = idsWhere(running, (each) => !canOpen(each, own))
  if (unable.length > 0) return E.left({ error: 'others_cannot_open', ids: unable })
  const unopened = idsWhere(running, (each) => !canOpen(own, each))
  return unopened.length > 0 ? E.left({ error: 'cannot_open_others', ids: unopened }) : E.right(undefined)
}

// A setting that only one of two versions knows is compared by neither.
const differs = (one: Instance, other: Instance, setting: string): boolean => {
  const found = ownMember(other.settings, setting)
  return found !== undefined && found !== ownMember(one.settings, setting)
}

/** The settings on which the instance and the others do not agree. */
export const settingDifferences = (own: Instance, others: ReadonlyArray<Instance>): ReadonlyArray<SettingDifference> =>
  Object.keys(own.settings)
    .map((setting) => ({ setting, ids: idsWhere(others, (each) => differs(own, each, setting)) }))
    .filter(({ ids }) => ids.length > 0)

/** Permits an instance beside the running ones, of which it may be one; returns the settings that differ. */
export const permitInstance = (
  own: Instance,
  running: ReadonlyArray<Instance>,
): E.Either<KeysRefusal, ReadonlyArray<SettingDifference>> => {
  const others = running.filter(({ id }) => id !== own.id)
  return E.map(() => settingDifferences(own, others))(permitKeys(own, others))
}

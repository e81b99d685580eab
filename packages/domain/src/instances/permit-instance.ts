// Instances that share a store open what the others seal, and agree on the settings that their promises depend on.
import * as E from 'fp-ts/lib/Either.js'
import type { Instance } from './instance.js'

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

const digestOf = ({ settings }: Instance, setting: string): string | undefined =>
  Object.hasOwn(settings, setting) ? settings[setting] : undefined

// A setting that only one of two versions knows is compared by neither.
const differs = (one: Instance, other: Instance, setting: string): boolean => {
  const found = digestOf(other, setting)
  return found !== undefined && found !== digestOf(one, setting)
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

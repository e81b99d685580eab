// What an operator does with keys.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { AuditAction } from '../audit/entries.js'
import { type InvalidRequest, type KeyRefusal, type Unavailable, unavailable } from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import {
  type ForeignKey,
  type ForeignKeyDescription,
  type ImportedKeys,
  type NewForeignKey,
  type RevokedKey,
  type TooManyForeignKeys,
  type UnknownKid,
  addForeignKeys,
  describeForeignKey,
  importKeys as importInto,
  kidsOf,
  repeatedKid,
  revoke,
} from '../keys/by-operator.js'
import { type KeyDescription, consequencesOf, describeKeys } from '../keys/published.js'
import { type KeyPhase, type KeyRing, type KeySettings, keysOf } from '../keys/ring.js'
import { type KidKnown, type RollOverUnderWay, advance, notForgotten } from '../keys/roll-over.js'
import type { Answer, Clock, KeyMaker, Pauses } from '../ports/outside.js'
import type {
  ForeignKeys,
  KeyRingChanged,
  KeyRings,
  SealedAnew,
  Sealing,
  SealingStep,
  UnreadableKeyRing,
} from '../ports/store.js'
import {
  type AuditOperation,
  type AuditPorts,
  type AuditWriting,
  type ByRequest,
  auditedBy,
  writeAudited,
} from './audit.js'
import { confirmingRefusals, retryOnConflict } from './conflicts.js'
import {
  type AuditKeys,
  type NextRing,
  type UnknownAlgorithm,
  readRings,
  ringsToRoll,
  rollOverKeys,
  storeKeyRings,
} from './roll-over.js'

// Revokes a compromised key: it leaves the set now, and a successor signs in its place.

const kidsIn = (ring: KeyRing): ReadonlyArray<string> => kidsOf(keysOf(ring).map(({ key }) => key))

type Revoking = E.Either<UnknownKid | UnreadableKeyRing | KeyRingChanged | Unavailable, RevokedKey>

/** Removes the key, and returns its ring and the phase that it was in. */
export const revokeKey =
  (ports: KeyRings & KeyMaker & Pauses & AuditKeys) =>
  (kid: string): Answer<RevokedKey, UnknownKid | UnreadableKeyRing> =>
    retryOnConflict(ports)(async (): Promise<Revoking> => {
      const read = await readRings(ports)()
      if (E.isLeft(read)) return read
      const rings = notForgotten(read.right.rings, read.right.at)
      const ring = rings.find((each) => kidsIn(each).includes(kid))
      if (ring === undefined) return E.left({ error: 'unknown_kid', known: rings.flatMap(kidsIn) })
      const generated = await ports.makeKey(ring.alg)()
      if (E.isLeft(generated)) return generated
      const at = await ports.readStoreTime()
      if (E.isLeft(at)) return at
      const revoked = revoke(at.right)(ring, kid, generated.right)
      if (E.isLeft(revoked)) return revoked
      const stored = await storeKeyRings(ports, at.right)([{ next: revoked.right.ring, ring }])()
      return E.isLeft(stored) ? stored : revoked
    })

const byAlgorithm = (imported: ReadonlyArray<ImportedKeys>): ReadonlyArray<ImportedKeys> =>
  [...new Set(imported.map(({ alg }) => alg))].map((alg) => ({
    alg,
    keys: imported.flatMap((each) => (each.alg === alg ? each.keys : [])),
  }))

const into = (
  { policy }: KeySettings,
  at: EpochSeconds,
  rings: ReadonlyArray<KeyRing>,
  imported: ReadonlyArray<ImportedKeys>,
): E.Either<UnknownAlgorithm | KidKnown, ReadonlyArray<NextRing>> => {
  const importing = (keys: ImportedKeys['keys']) => (ring: KeyRing) =>
    E.map((next: KeyRing): NextRing => ({ next, ring }))(importInto(policy, at)(advance(policy, at)(ring), keys))
  return pipe(
    byAlgorithm(imported),
    E.traverseArray(({ alg, keys }) => pipe(ringsToRoll(rings, alg), E.flatMap(E.traverseArray(importing(keys))))),
    E.map((next) => next.flat()),
  )
}

/** Adds keys of another server to the rings of their algorithms: all of them or none. */
const importKeys =
  (settings: KeySettings, ports: KeyRings & ForeignKeys & Pauses & AuditKeys) =>
  (
    imported: ReadonlyArray<ImportedKeys>,
  ): Answer<ReadonlyArray<KeyRing>, UnknownAlgorithm | KidKnown | UnreadableKeyRing> =>
    retryOnConflict(ports)(
      pipe(
        readRings(ports),
        TE.bindW('foreign', () => ports.readForeignKeys),
        TE.flatMap(({ rings, foreign, at }) => {
          const repeated = repeatedKid(rings, foreign, kidsOf(imported.flatMap(({ keys }) => keys)))
          const next = repeated === undefined ? into(settings, at, rings, imported) : E.left(repeated)
          return pipe(TE.fromEither(next), TE.flatMap(storeKeyRings(ports, at)))
        }),
      ),
    )

/** Publishes the keys, all of them or none, and returns them as published. */
const importForeignKeys =
  (ports: KeyRings & ForeignKeys & Pauses & AuditKeys) =>
  (
    keys: ReadonlyArray<NewForeignKey>,
  ): Answer<ReadonlyArray<ForeignKey>, KidKnown | TooManyForeignKeys | UnreadableKeyRing> =>
    retryOnConflict(ports)(
      pipe(
        readRings(ports),
        TE.bindW('present', () => ports.readForeignKeys),
        TE.flatMap(({ rings, present, at }) =>
          pipe(
            TE.fromEither(addForeignKeys(rings, present, at)(keys)),
            TE.tap((added) => ports.addForeignKeys(added, rings, ports.auditKeys(at, kidsOf(added)))),
          ),
        ),
      ),
    )

/** Removes a key of another signer from the set, and returns the remaining ones. */
const removeForeignKey =
  (ports: ForeignKeys & KeyRings & AuditKeys) =>
  (kid: string): Answer<ReadonlyArray<ForeignKey>, UnknownKid> =>
    pipe(
      ports.readStoreTime,
      TE.flatMap((at) => ports.removeForeignKey(kid, ports.auditKeys(at, [kid]))),
      TE.bindTo('removed'),
      TE.bindW('left', () => ports.readForeignKeys),
      TE.flatMap(({ removed, left }) =>
        removed ? TE.right(left) : TE.left<UnknownKid>({ error: 'unknown_kid', known: kidsOf(left) }),
      ),
    )

// Key management by the operator; each answer describes the keys after the operation, without private halves.

export type KeyList = {
  readonly keys: ReadonlyArray<KeyDescription>
  /** The keys of other signers, for operations on them. */
  readonly foreign?: ReadonlyArray<ForeignKeyDescription>
}
export type RevokedKeyList = KeyList & { readonly phase: KeyPhase; readonly consequences: ReadonlyArray<string> }

export type KeyManagement = {
  readonly listKeys: Answer<KeyList, KeyRefusal>
  /** A dry run describes the result and stores nothing; a later roll-over generates another key. */
  readonly rollOver: (request: { readonly alg?: string; readonly dryRun: boolean }) => Answer<KeyList, KeyRefusal>
  readonly revoke: (request: { readonly kid: string; readonly dryRun: boolean }) => Answer<RevokedKeyList, KeyRefusal>
  /** Imports all of the keys, or none. */
  readonly importKeys: (request: {
    readonly keys: ReadonlyArray<ImportedKeys>
    readonly dryRun: boolean
  }) => Answer<KeyList, KeyRefusal>
  /** Publishes keys of another signer: all of them, or none. */
  readonly importForeignKeys: (request: {
    readonly keys: ReadonlyArray<NewForeignKey>
    readonly dryRun: boolean
  }) => Answer<KeyList, KeyRefusal>
  /** Removes a key of another signer from the set. */
  readonly removeForeignKey: (kid: string) => Answer<KeyList, KeyRefusal>
}

export type ManageKeysPorts = KeyRings & ForeignKeys & KeyMaker & Pauses & AuditPorts

type KeyFailure =
  UnknownAlgorithm | UnknownKid | RollOverUnderWay | KidKnown | TooManyForeignKeys | UnreadableKeyRing | Unavailable

const encryptionText = ({ encryption = [] }: UnknownAlgorithm): string =>
  encryption.length === 0 ? '' : `; to encrypt to, there is ${encryption.join(', ')}`

/** A failure in words, with the existing names where a name is unknown. */
export const keyRefusal = (failure: KeyFailure): KeyRefusal | Unavailable => {
  switch (failure.error) {
    case 'unknown_algorithm':
      return {
        error: failure.error,
        error_description: `No key ring signs with this algorithm: see signing-algorithms${encryptionText(failure)}`,
        known: failure.known,
      }
    case 'unknown_kid':
      return { ...failure, error_description: 'No key has this kid' }
    case 'roll_over_under_way':
      return {
        error: failure.error,
        error_description: 'A successor of the key is announced already',
        signs_from: failure.signsFrom,
      }
    case 'kid_known':
      return {
        error: failure.error,
        error_description: 'A key of this name is or was in the key set: leave it out',
        known: [failure.kid],
      }
    case 'too_many_foreign_keys':
      return {
        error: failure.error,
        error_description: `The key set holds ${failure.most} keys of other signers at most: remove those that sign no more`,
      }
    case 'unreadable_key_ring':
      return unavailable(`the key ring of ${failure.alg} cannot be read`)
    case 'unavailable':
      return failure
  }
}

const unknownForeignKey = ({ known, error }: UnknownKid): KeyRefusal => ({
  error,
  error_description:
    "No key of another signer has this kid; a key of the service's own is taken out by keys compromise",
  known,
})

const keepingNothing = (ports: ManageKeysPorts): ManageKeysPorts => ({
  ...ports,
  replaceKeyRings: () => TE.right(undefined),
  addForeignKeys: () => TE.right(undefined),
})

const foreignList = (keys: ReadonlyArray<ForeignKey>): KeyList => ({ keys: [], foreign: keys.map(describeForeignKey) })

const managementBy = (settings: KeySettings, ports: ManageKeysPorts, row: AuditOperation): KeyManagement => {
  const listed = (rings: ReadonlyArray<KeyRing>): KeyList => ({ keys: describeKeys(settings.policy, rings) })
  const portsOf = (action: AuditAction, dryRun = false): ManageKeysPorts & AuditKeys => ({
    ...(dryRun ? keepingNothing(ports) : ports),
    auditKeys: (at, kids) => row(at, action, { kids }),
  })
  const confirmingDone = confirmingRefusals(ports, ['unknown_kid', 'roll_over_under_way', 'kid_known'])
  const performed = <Value, Shown>(
    action: AuditAction,
    dryRun: boolean,
    operation: (ports: ManageKeysPorts & AuditKeys) => Answer<Value, KeyFailure>,
    show: (value: Value) => Shown,
  ): Answer<Shown, KeyRefusal> => {
    const operated = operation(portsOf(action, dryRun))
    return pipe(dryRun ? operated : confirmingDone(operated), TE.mapBoth(keyRefusal, show))
  }
  return {
    listKeys: pipe(
      readRings(ports),
      TE.map(({ rings, at }) => listed(notForgotten(rings, at))),
      TE.bindTo('list'),
      TE.bindW('foreign', () => ports.readForeignKeys),
      TE.mapBoth(keyRefusal, ({ list, foreign }) => ({ ...list, foreign: foreign.map(describeForeignKey) })),
    ),
    rollOver: ({ alg, dryRun }) =>
      performed('keys_rolled_over', dryRun, (by) => rollOverKeys(settings, by)(alg), listed),
    revoke: ({ kid, dryRun }) =>
      performed(
        'key_revoked',
        dryRun,
        (by) => revokeKey(by)(kid),
        ({ ring, phase }) => {
          const list = listed([ring])
          return { ...list, phase, consequences: consequencesOf({ kid, use: ring.use, phase }, list.keys) }
        },
      ),
    importKeys: ({ keys, dryRun }) =>
      performed('keys_imported', dryRun, (by) => importKeys(settings, by)(keys), listed),
    importForeignKeys: ({ keys, dryRun }) =>
      performed('foreign_keys_added', dryRun, (by) => importForeignKeys(by)(keys), foreignList),
    removeForeignKey: (kid) =>
      pipe(
        removeForeignKey(portsOf('foreign_key_removed'))(kid),
        TE.mapBoth(
          (failure) => (failure.error === 'unknown_kid' ? unknownForeignKey(failure) : keyRefusal(failure)),
          foreignList,
        ),
      ),
  }
}

export const manageKeys =
  (settings: KeySettings, ports: ManageKeysPorts): ByRequest<'keys', KeyManagement> =>
  (operator, request) =>
    managementBy(settings, ports, auditedBy(ports, operator, request))

// The operator seals stored values with the present encryption key, step by step.

/** One step. The first one has an audit row: the others only continue it. */
export const sealValues =
  (
    ports: Sealing & Clock & AuditWriting,
  ): ByRequest<'keys', (step: SealingStep) => Answer<SealedAnew, InvalidRequest>> =>
  (operator, request) =>
  (step) => {
    const begins = step.after === undefined && !step.dryRun
    const row = begins ? auditedBy(ports, operator, request)(ports.now(), 'sealing_begun') : undefined
    return pipe(
      writeAudited(ports, row),
      TE.flatMap(() => ports.sealAnew(operator)(step)),
    )
  }

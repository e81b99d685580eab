// Key management by the operator; each answer describes the keys after the operation, without private halves.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { AuditAction } from '../audit/audit-entry.js'
import { type KeyRefusal, type Unavailable, unavailable } from '../errors.js'
import { notForgotten } from '../keys/retire-ring.js'
import type { UnknownKid } from '../keys/revoke.js'
import { type KeyDescription, describeKeys } from '../keys/describe-keys.js'
import {
  type ForeignKey,
  type ForeignKeyDescription,
  type NewForeignKey,
  type TooManyForeignKeys,
  describeForeignKey,
} from '../keys/foreign-key.js'
import type { KeyPhase, KeyRing } from '../keys/key-ring.js'
import type { KeySettings } from '../keys/key-settings.js'
import type { KidKnown, RollOverUnderWay } from '../keys/roll-over.js'
import type { ForeignKeys } from '../ports/foreign-keys.js'
import type { KeyMaker, KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/turns.js'
import { revokeKey } from './revoke-key.js'
import type { ImportedKeys } from '../keys/import-keys.js'
import { importKeys } from './import-keys.js'
import { importForeignKeys } from './import-foreign-keys.js'
import { removeForeignKey } from './remove-foreign-key.js'
import { type AuditOperation, type AuditPorts, type ByRequest, auditedBy } from './steps/audited.js'
import { confirmed } from './steps/confirmed.js'
import type { AuditKeys } from './steps/store-key-rings.js'
import { type UnknownAlgorithm, rollOverKeys } from './roll-over-keys.js'

export type KeyList = {
  readonly keys: ReadonlyArray<KeyDescription>
  /** The keys of other signers, for operations on them. */
  readonly foreign?: ReadonlyArray<ForeignKeyDescription>
}
export type RevokedKeyList = KeyList & { readonly phase: KeyPhase }

type Answer<A> = TE.TaskEither<KeyRefusal | Unavailable, A>

export type KeyManagement = {
  readonly listKeys: Answer<KeyList>
  /** A dry run describes the result and stores nothing; a later roll-over generates another key. */
  readonly rollOver: (request: { readonly alg?: string; readonly dryRun: boolean }) => Answer<KeyList>
  readonly revoke: (request: { readonly kid: string; readonly dryRun: boolean }) => Answer<RevokedKeyList>
  /** Imports all of the keys, or none. */
  readonly importKeys: (request: {
    readonly keys: ReadonlyArray<ImportedKeys>
    readonly dryRun: boolean
  }) => Answer<KeyList>
  /** Publishes keys of another signer: all of them, or none. */
  readonly importForeignKeys: (request: {
    readonly keys: ReadonlyArray<NewForeignKey>
    readonly dryRun: boolean
  }) => Answer<KeyList>
  /** Removes a key of another signer from the set. */
  readonly removeForeignKey: (kid: string) => Answer<KeyList>
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
        error_description: 'A successor of the key is published already',
        signs_from: failure.signsFrom,
      }
    case 'kid_known':
      return { error: failure.error, error_description: 'A key of one of these names is or was in the key set' }
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

/** What a repeated request finds done. */
const doneBefore: ReadonlyArray<KeyFailure['error']> = ['unknown_kid', 'roll_over_under_way', 'kid_known']

const foreignList = (keys: ReadonlyArray<ForeignKey>): KeyList => ({ keys: [], foreign: keys.map(describeForeignKey) })

const managementBy = (settings: KeySettings, ports: ManageKeysPorts, row: AuditOperation): KeyManagement => {
  const listed = (rings: ReadonlyArray<KeyRing>): KeyList => ({ keys: describeKeys(settings.policy, rings) })
  const portsOf = (action: AuditAction, dryRun = false): ManageKeysPorts & AuditKeys => ({
    ...(dryRun ? keepingNothing(ports) : ports),
    auditKeys: (at, kids) => row(at, action, { kids }),
  })
  const confirming = <Failure extends KeyFailure, Answer>(
    dryRun: boolean,
    operation: TE.TaskEither<Failure, Answer>,
  ): TE.TaskEither<Failure | Unavailable, Answer> =>
    pipe(
      operation,
      TE.orElse((failure) =>
        !dryRun && doneBefore.includes(failure.error) ? confirmed(ports)(E.left(failure)) : TE.left(failure),
      ),
    )
  return {
    listKeys: pipe(
      ports.readKeyRings,
      TE.bindTo('rings'),
      TE.bindW('at', () => ports.readStoreTime),
      TE.map(({ rings, at }) => listed(notForgotten(rings, at))),
      TE.bindTo('list'),
      TE.bindW('foreign', () => ports.readForeignKeys),
      TE.mapBoth(keyRefusal, ({ list, foreign }) => ({ ...list, foreign: foreign.map(describeForeignKey) })),
    ),
    rollOver: ({ alg, dryRun }) =>
      pipe(
        confirming(dryRun, rollOverKeys(settings, portsOf('keys_rolled_over', dryRun))(alg)),
        TE.mapBoth(keyRefusal, listed),
      ),
    revoke: ({ kid, dryRun }) =>
      pipe(
        confirming(dryRun, revokeKey(portsOf('key_revoked', dryRun))(kid)),
        TE.mapBoth(keyRefusal, ({ ring, phase }) => ({ ...listed([ring]), phase })),
      ),
    importKeys: ({ keys, dryRun }) =>
      pipe(
        confirming(dryRun, importKeys(settings, portsOf('keys_imported', dryRun))(keys)),
        TE.mapBoth(keyRefusal, listed),
      ),
    importForeignKeys: ({ keys, dryRun }) =>
      pipe(
        confirming(dryRun, importForeignKeys(portsOf('foreign_keys_added', dryRun))(keys)),
        TE.mapBoth(keyRefusal, foreignList),
      ),
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

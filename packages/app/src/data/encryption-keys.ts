// Changes of the encryption keys in the file of the data directory, by the one process that has the store open.
import { operatorOfTheStore } from '@clientele/domain/authorization'
import type { EncryptionKeyFingerprints } from '@clientele/domain/instances'
import { type InvalidRequest, type Unavailable, invalidRequest } from '@clientele/domain/kernel'
import { type ByRequest, auditedBy, sealValues, writeAudited } from '@clientele/domain/operations'
import type { EncryptionKeyList, EncryptionKeys, SealedAnew, Store } from '@clientele/domain/ports'
import { encryptionKeyFingerprint } from '@clientele/adapters-jose/node'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { encryptionKeys } from '../config/operators.js'
import { readSecretFile, replaceSecretFile } from './data-directory.js'
import { newEncryptionKey } from './first-run.js'
import type { OpenedData } from './open-data.js'

type Refusal = InvalidRequest | Unavailable

const inSettings = invalidRequest(
  'encryption-key is a setting, which only the operator changes: put a new key of clientele encryption-key generate in front of it (NEW,EARLIER), start the service, and rotate again',
)

const fileOf = ({ files, keysInFile }: OpenedData): E.Either<InvalidRequest, string> =>
  keysInFile && files !== undefined ? E.right(files.encryptionKey) : E.left(inSettings)

/** The fingerprints of encryption keys, the first of which seals. */
export const fingerprintsOf = (keys: ReadonlyArray<Buffer>): EncryptionKeyFingerprints => {
  const opens_with = keys.map(encryptionKeyFingerprint)
  return { seals_with: opens_with[0] ?? '', opens_with }
}

const others = (store: Store, first: string): TE.TaskEither<Unavailable, ReadonlyArray<string>> =>
  store.instances === undefined
    ? TE.right([])
    : pipe(
        store.instances.listInstances,
        TE.map((running) => running.filter(({ seals_with }) => seals_with !== first).map(({ id }) => id)),
      )

const list = ({ store, keyHolder, keysInFile }: OpenedData): TE.TaskEither<Unavailable, EncryptionKeyList> =>
  pipe(
    TE.fromIO(() => fingerprintsOf(keyHolder.keys())),
    TE.let('kept_in', () => (keysInFile ? ('file' as const) : ('settings' as const))),
    TE.bindW('values', () => store.countSealed),
    TE.bindW('sealing_otherwise', ({ seals_with }) => others(store, seals_with)),
  )

// The file is on disk before a key is used, so that no value is ever sealed with a key that could be lost.
const writeKeys = (data: OpenedData, file: string, keys: ReadonlyArray<string>): E.Either<InvalidRequest, void> =>
  pipe(
    replaceSecretFile(file, `${keys.join(',\n')}\n`),
    E.flatMap(() => readSecretFile(file, encryptionKeys)),
    E.mapLeft(invalidRequest),
    E.map(data.keyHolder.replaceKeys),
  )

const asText = (key: Buffer): string => key.toString('base64url')

type WriteRow = (action: 'encryption_key_added' | 'encryption_keys_dropped') => TE.TaskEither<Unavailable, void>

// No transaction joins the file and the database: the row is first, so that no change is without one.
const add =
  (data: OpenedData, writeRow: WriteRow): TE.TaskEither<Refusal, void> =>
  async () => {
    if (data.keyHolder.keys().length > 1) return E.right(undefined)
    const file = fileOf(data)
    if (E.isLeft(file)) return file
    const written = await writeRow('encryption_key_added')()
    if (E.isLeft(written)) return written
    const present = data.keyHolder.keys()
    return present.length > 1
      ? E.right(undefined)
      : writeKeys(data, file.right, [newEncryptionKey(), ...present.map(asText)])
  }

const leftText = ({ sealed, unreadable }: SealedAnew): string =>
  sealed > 0
    ? `${sealed} or more values are still sealed with an earlier key: run clientele encryption-key rotate again`
    : `${unreadable} or more values are opened by no key, and a backup may hold them in a state that an earlier key opens: ` +
      'remove those clients (the log names them), or wait until sessions and tokens have expired'

/** Refuses while a step finds a value that the first key did not seal. */
const requireSealed = (store: Store): TE.TaskEither<Refusal, void> => {
  const step = store.sealAnew(operatorOfTheStore())
  return async () => {
    let after: string | undefined
    do {
      const found: E.Either<Refusal, SealedAnew> = await step({ after, dryRun: true })()
      if (E.isLeft(found)) return found
      if (found.right.sealed + found.right.unreadable > 0) return E.left(invalidRequest(leftText(found.right)))
      after = found.right.next
    } while (after !== undefined)
    return E.right(undefined)
  }
}

const changedMeanwhile = invalidRequest(
  'another command changed the keys meanwhile: run clientele encryption-key check',
)

const drop =
  (data: OpenedData, writeRow: WriteRow): TE.TaskEither<Refusal, void> =>
  async () => {
    const file = fileOf(data)
    if (E.isLeft(file)) return file
    const checked = data.keyHolder.keys()
    const sealed = await requireSealed(data.store)()
    if (E.isLeft(sealed)) return sealed
    const written = checked.length > 1 ? await writeRow('encryption_keys_dropped')() : sealed
    if (E.isLeft(written)) return written
    return checked === data.keyHolder.keys()
      ? writeKeys(data, file.right, checked.slice(0, 1).map(asText))
      : E.left(changedMeanwhile)
  }

export const encryptionKeysOf =
  (data: OpenedData): ByRequest<'keys', EncryptionKeys> =>
  (operator, request) => {
    const { operations } = data
    const row = auditedBy(operations, operator, request)
    const writeRow: WriteRow = (action) => () => writeAudited(operations, row(operations.now(), action))()
    const listAfter = TE.flatMap((): TE.TaskEither<Refusal, EncryptionKeyList> => list(data))
    return {
      listEncryptionKeys: list(data),
      addEncryptionKey: listAfter(add(data, writeRow)),
      dropEncryptionKeys: listAfter(drop(data, writeRow)),
    }
  }

/** Seals values anew, with a row for each pass through all of them. */
export const sealValuesOf = ({ store, operations }: OpenedData): ReturnType<typeof sealValues> =>
  sealValues({ ...store, ...operations })

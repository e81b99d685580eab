import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import type { KeySettings } from '../keys/key-settings.js'
import { type KeyState, hasVersions, withForeignKeys, withRings } from '../keys/key-state.js'
import type { ForeignKeys } from '../ports/foreign-keys.js'
import type { KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'

export type ReadKeyStatePorts = Pick<KeyRings, 'readStoreTime' | 'readKeyRingVersions' | 'readKeyRings'> &
  Pick<ForeignKeys, 'readForeignKeys'>

/**
 * The keys as stored now by any instance; the rings are read only if a version has changed. The time is read first: what
 * is stored until then is in the state.
 */
export const readKeyState =
  (settings: KeySettings, ports: ReadKeyStatePorts) =>
  (before: KeyState): TE.TaskEither<UnreadableKeyRing | Unavailable, KeyState> =>
    pipe(
      ports.readStoreTime,
      TE.bindTo('readAt'),
      TE.bind('versions', () => ports.readKeyRingVersions),
      TE.bindW('rings', ({ versions }) =>
        hasVersions(before, versions) ? TE.right(before.rings) : ports.readKeyRings,
      ),
      TE.bindW('foreign', () => ports.readForeignKeys),
      TE.map(({ readAt, rings, foreign }) => ({
        ...withForeignKeys(withRings(settings, readAt)(before, rings), foreign),
        readAt,
      })),
    )

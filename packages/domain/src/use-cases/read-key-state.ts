import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import type { KeySettings } from '../keys/key-settings.js'
import { type KeyState, hasVersions, withForeignKeys, withRings } from '../keys/key-state.js'
import type { ForeignKeys } from '../ports/foreign-keys.js'
import type { Fresh } from '../ports/fresh.js'
import type { KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'

export type ReadKeyStatePorts = Pick<KeyRings, 'readKeyRingVersions' | 'readKeyRings'> &
  Pick<ForeignKeys, 'readForeignKeys'> &
  Pick<Fresh, 'now'>

/** The keys as they are stored now, whichever instance changed them; the rings are read only where a version is another one. */
export const readKeyState =
  (settings: KeySettings, ports: ReadKeyStatePorts) =>
  (before: KeyState): TE.TaskEither<UnreadableKeyRing | Unavailable, KeyState> =>
    pipe(
      ports.readKeyRingVersions,
      TE.flatMap((versions) => (hasVersions(before, versions) ? TE.right(before.rings) : ports.readKeyRings)),
      TE.map((rings) => withRings(settings, ports.now())(before, rings)),
      TE.bindTo('state'),
      TE.bindW('foreign', () => ports.readForeignKeys),
      TE.map(({ state, foreign }) => withForeignKeys(state, foreign)),
    )

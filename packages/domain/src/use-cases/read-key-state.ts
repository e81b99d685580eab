import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import type { KeySettings } from '../keys/key-settings.js'
import { type KeyState, hasVersions, withForeignKeys, withRings } from '../keys/key-state.js'
import type { ForeignKeys } from '../ports/foreign-keys.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'

export type ReadKeyStatePorts = Pick<KeyRings, 'readKeyRingVersions' | 'readKeyRings'> &
  Pick<ForeignKeys, 'readForeignKeys'> &
  Pick<CredentialGenerator, 'now'>

/** The keys as stored now by any instance; the rings are read only if a version has changed. */
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

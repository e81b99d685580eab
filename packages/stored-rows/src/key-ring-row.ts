import {
  type Encryption,
  type Unavailable,
  type UnreadableKeyRing,
  KeyRing,
  unreadableKeyRing,
} from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

/** A row of the table key_rings. */
export const KeyRingRow = t.readonly(
  t.exact(t.type({ alg: t.string, use: t.string, version: t.number, sealed: t.string })),
)
export interface KeyRingRow extends t.TypeOf<typeof KeyRingRow> {}

/** The stored rings with their versions, without decryption. */
export const KeyRingVersions = t.readonlyArray(
  t.readonly(t.exact(t.type({ alg: t.string, use: t.string, version: t.number }))),
)

// The context binds the ring to its name and version.
export const ringContext = ({ alg, use, version }: Pick<KeyRingRow, 'alg' | 'use' | 'version'>): string =>
  `key ring ${alg} ${use}, version ${version}`

export const toKeyRingRow =
  ({ seal }: Encryption) =>
  (ring: KeyRing): TE.TaskEither<Unavailable, KeyRingRow> =>
    pipe(
      seal(JSON.stringify(KeyRing.encode(ring)), ringContext(ring)),
      TE.map((sealed) => ({ alg: ring.alg, use: ring.use, version: ring.version, sealed })),
    )

const isOf =
  ({ alg, use, version }: KeyRingRow) =>
  (ring: KeyRing): boolean =>
    ring.alg === alg && ring.use === use && ring.version === version

const ringIn = (text: string): O.Option<KeyRing> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.flatMap((json) => O.fromEither(KeyRing.decode(json))),
  )

export const fromKeyRingRow =
  ({ open }: Encryption) =>
  (input: unknown): TE.TaskEither<UnreadableKeyRing | Unavailable, KeyRing> =>
    pipe(
      TE.fromEither(KeyRingRow.decode(input)),
      TE.mapLeft((): UnreadableKeyRing | Unavailable => unreadableKeyRing('an unknown algorithm')),
      TE.flatMap((row) =>
        pipe(
          open(row.sealed, ringContext(row)),
          TE.map(O.flatMap(ringIn)),
          TE.flatMapOption(O.filter(isOf(row)), () => unreadableKeyRing(row.alg)),
        ),
      ),
    )

import type { UnreadableKeyRing } from '@clientele/domain'
import { KeyRing, unreadableKeyRing } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Sealing } from '@clientele/domain'

/** A row of the table key_rings. */
export const KeyRingRow = t.readonly(
  t.exact(t.type({ alg: t.string, use: t.string, version: t.number, sealed: t.string })),
)
export interface KeyRingRow extends t.TypeOf<typeof KeyRingRow> {}

/** Which ring is there in which version, without opening any. */
export const KeyRingVersions = t.readonlyArray(
  t.readonly(t.exact(t.type({ alg: t.string, use: t.string, version: t.number }))),
)

// A ring in the place of another one, or with another version than its row tells, does not open.
export const ringContext = ({ alg, use, version }: Pick<KeyRingRow, 'alg' | 'use' | 'version'>): string =>
  `key ring ${alg} ${use}, version ${version}`

export const toKeyRingRow =
  (sealing: Sealing) =>
  (ring: KeyRing): KeyRingRow => ({
    alg: ring.alg,
    use: ring.use,
    version: ring.version,
    sealed: sealing.seal(JSON.stringify(KeyRing.encode(ring)), ringContext(ring)),
  })

const isOf =
  ({ alg, use, version }: KeyRingRow) =>
  (ring: KeyRing): boolean =>
    ring.alg === alg && ring.use === use && ring.version === version

export const fromKeyRingRow =
  (sealing: Sealing) =>
  (input: unknown): E.Either<UnreadableKeyRing, KeyRing> =>
    pipe(
      KeyRingRow.decode(input),
      E.mapLeft(() => unreadableKeyRing('an unknown algorithm')),
      E.flatMap((row) =>
        pipe(
          sealing.open(row.sealed, ringContext(row)),
          O.flatMap((text) => O.tryCatch((): unknown => JSON.parse(text))),
          O.flatMap((json) => O.fromEither(KeyRing.decode(json))),
          O.filter(isOf(row)),
          E.fromOption(() => unreadableKeyRing(row.alg)),
        ),
      ),
    )

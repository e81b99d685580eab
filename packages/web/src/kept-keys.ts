import type { ForeignKey, KeyManagement, KeyRing, KeySettings, ManageKeysPorts } from '@clientele/domain'
import { keepKeyRings, manageKeys } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { HttpPorts } from '@clientele/adapters-http/fetch'

export type KeptKeys = Pick<HttpPorts, 'keyRings' | 'foreignKeys' | 'keys'> & {
  /** Does what is due with the keys: makes those that are missing, and rolls them over. Rejects when that cannot be done. */
  readonly keepKeys: () => Promise<void>
}

type Around = <Refused, Answer>(operation: TE.TaskEither<Refused, Answer>) => TE.TaskEither<Refused, Answer>

/** The same operations, of which each that changes the keys is done in that way. */
const changingBy = (around: Around, management: KeyManagement): KeyManagement => ({
  listKeys: management.listKeys,
  rollOver: (request) => around(management.rollOver(request)),
  compromise: (request) => around(management.compromise(request)),
  importKeys: (request) => around(management.importKeys(request)),
  importForeignKeys: (request) => around(management.importForeignKeys(request)),
  removeForeignKey: (kid) => around(management.removeForeignKey(kid)),
})

/** Rings that begin with the first `keepKeys`; what is done with them takes turns. */
export const keptKeys = (settings: KeySettings, ports: ManageKeysPorts): KeptKeys => {
  let rings: ReadonlyArray<KeyRing> = []
  let foreign: ReadonlyArray<ForeignKey> = []
  let turns: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(run: () => Promise<A>): Promise<A> => {
    const turn = turns.then(run)
    turns = turn.catch(() => undefined)
    return turn
  }
  const keep = pipe(
    keepKeyRings(settings, ports),
    TE.bindTo('kept'),
    TE.bindW('published', () => ports.readForeignKeys),
    TE.map(({ kept, published }) => {
      rings = kept
      foreign = published
    }),
  )
  const kept =
    <Refused, Answer>(operation: TE.TaskEither<Refused, Answer>): TE.TaskEither<Refused, Answer> =>
    () =>
      inTurn(
        pipe(
          operation,
          TE.tapTask(() => keep),
        ),
      )
  return {
    keyRings: () => rings,
    foreignKeys: () => foreign,
    keys: changingBy(kept, manageKeys(settings, ports)),
    keepKeys: () =>
      inTurn(async () => {
        const done = await keep()
        if (E.isLeft(done)) throw new Error(`the keys cannot be kept: ${done.left.error}`)
      }),
  }
}

import type {
  ForOperator,
  ForeignKey,
  JwkSetSource,
  KeyManagement,
  KeyRing,
  KeySettings,
  ManageKeysPorts,
} from '@clientele/domain'
import { keepKeyRings, manageKeys, publishJwkSet } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

export type KeptKeys = JwkSetSource & {
  /** With the private halves, for what signs and decrypts in the same process. */
  readonly keyRings: () => ReadonlyArray<KeyRing>
  readonly foreignKeys: () => ReadonlyArray<ForeignKey>
  readonly management: ForOperator<KeyManagement>
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
  removeForeignKey: (request) => around(management.removeForeignKey(request)),
})

type Published = { readonly rings: ReadonlyArray<KeyRing>; readonly foreign: ReadonlyArray<ForeignKey> } & JwkSetSource

/** Rings that begin with the first `keepKeys`; what is done with them takes turns. */
export const keptKeys = (settings: KeySettings, ports: ManageKeysPorts): KeptKeys => {
  const publish = publishJwkSet(settings.policy, ports)
  const managed = manageKeys(settings, ports)
  let published: Published = { rings: [], foreign: [], publishedJwkSet: publish([], []) }
  let turns: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(run: () => Promise<A>): Promise<A> => {
    const turn = turns.then(run)
    turns = turn.catch(() => undefined)
    return turn
  }
  const keep = pipe(
    keepKeyRings(settings, ports),
    TE.bindTo('rings'),
    TE.bindW('foreign', () => ports.readForeignKeys),
    TE.map(({ rings, foreign }) => {
      published = { rings, foreign, publishedJwkSet: publish(rings, foreign) }
    }),
  )
  const kept: Around = (operation) => () =>
    inTurn(
      pipe(
        operation,
        TE.tapTask(() => keep),
      ),
    )
  return {
    keyRings: () => published.rings,
    foreignKeys: () => published.foreign,
    publishedJwkSet: () => published.publishedJwkSet(),
    management: (operator) => changingBy(kept, managed(operator)),
    keepKeys: () =>
      inTurn(async () => {
        const done = await keep()
        if (E.isLeft(done)) throw new Error(`the keys cannot be kept: ${done.left.error}`)
      }),
  }
}
